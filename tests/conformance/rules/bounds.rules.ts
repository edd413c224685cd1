/** Decisions 28: bounds on bytes and on requests that nobody pays for. */
import { section } from '../rule.ts';

const stored = 'apps/dispatch/test/stored-bytes';
const storing = 'apps/gateway/test/stored-bytes';
const bounds = 'apps/webhooks/src/deliveries/bounds';
const trials = 'apps/webhooks/test/trial-endpoints';

export const boundRules = [
  section('Decisions 28: bytes and requests', [
    [
      'decisions 28 refused sends',
      'store nothing',
      `${storing}: the content of an email is deleted when the send is refused or was a replay`,
      `${stored}: contents that a refused send stored are deleted, unless another send holds them`,
    ],
    [
      'decisions 28 test emails',
      'have their contents kept a day, at most 1 GiB a workspace',
      `${stored}: contents of test emails are kept for a day, and then their record says that they are gone`,
      `${storing}: the bytes of test emails have a bound, and those of live emails where the operator sets one`,
    ],
    [
      'decisions 28 stored bytes',
      'of a trial are at most 100 MiB in all; beyond a bound is 429 before a charge',
      `${storing}: the bytes of a trial workspace have one bound for both modes until it buys credits`,
      `${storing}: a send beyond the bound of bytes is refused before a charge, with a message that says what is full`,
      `${stored}: concurrent sends of a workspace do not exceed its bound`,
    ],
    [
      'decisions 28 hosts',
      'get 32 deliveries of a workspace at once at first, up to 512 while all is well, and half at each failure',
      `${bounds}: endpoints at one host share its bound, also at other ports, and other workspaces and hosts do not`,
      `${bounds}: the bound of a host doubles after each second of 2xx only, up to 512`,
      `${bounds}: the bound of a host does not grow in a second with another answer, and halves at each failure, to 4`,
    ],
    [
      'decisions 28 webhooks of a trial',
      'are two, with 10 deliveries at once and 50 a second, after a test event that was answered with 2xx',
      `${bounds}: a trial workspace has 10 at once over all hosts, and begins 50 a second`,
      `${trials}: an endpoint of a trial gets a test event first, and what is held follows once it is answered with 2xx`,
      'tests/api/trial-webhooks: decisions 28: a trial workspace has two webhooks, and a host gets a test event before others',
    ],
    [
      'decisions 28 opens and clicks',
      'count once for each spelling of a token, and are told at most 50 times each',
      'apps/gateway/src/messages/email/email-hits: counts a second hit within a second once, but not that of a person after a machine',
      'apps/dispatch/test/emails: announces at most 50 opens and 50 clicks of one recipient, and counts a person after them',
    ],
    [
      'decisions 28 content_type',
      'is a media type of RFC 2045 on one line, else 400 with its place',
      'apps/gateway/src/messages/email/attachments.policy: the content type of an attachment may not be %j',
    ],
  ]),
];
