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
      `${storing}: is given back when the send is refused, and when it was a replay`,
      `${stored}: contents that a refused send stored are deleted, unless another send holds them`,
    ],
    [
      'decisions 28 test emails',
      'have their contents kept a day, at most 1 GiB a workspace',
      `${stored}: contents of test emails are kept for a day, and then their record says that they are gone`,
      `${storing}: are bounded for test emails, and for live ones where the operator says so`,
    ],
    [
      'decisions 28 stored bytes',
      'of a trial are at most 100 MiB in all; beyond a bound is 429 before a charge',
      `${storing}: are bounded for a trial in both modes together, until it purchases`,
      `${storing}: that are full refuse before anything is charged, and say what is full`,
      `${stored}: concurrent sends of a workspace do not exceed its bound`,
    ],
    [
      'decisions 28 hosts',
      'get 32 deliveries of a workspace at once at first, up to 512 while all is well, and half at each failure',
      `${bounds}: is shared by its endpoints, also at other ports, and by no other workspace or host`,
      `${bounds}: doubles after each second of 2xx only, up to 512`,
      `${bounds}: does not grow in a second with another answer, and halves at each failure, to 4`,
    ],
    [
      'decisions 28 webhooks of a trial',
      'are two, with 10 deliveries at once and 50 a second, after a test event that was answered with 2xx',
      `${bounds}: a trial workspace has 10 at once over all hosts, and begins 50 a second`,
      `${trials}: gets a test event first, and what waits follows once it is answered with 2xx`,
      'tests/api/trial-webhooks: decisions 28: has two webhooks, and a host gets a test event before others',
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
      'apps/gateway/src/messages/email/attachments.policy: may not be %j',
    ],
  ]),
];
