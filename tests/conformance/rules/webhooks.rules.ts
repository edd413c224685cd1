/** Interface 2.11 and 6.2, decisions 4, 8, 21, 24 and 25: webhooks of variant B. */
import { section } from '../rule.ts';

const api = 'tests/api/webhooks-variant-b';
const endpoint = 'apps/webhooks/test/variant-b';
const deliveries = 'apps/webhooks/test/deliveries';
const addresses = 'apps/webhooks/test/forbidden-addresses';
const aged = 'apps/webhooks/test/aged-events';

export const webhookRules = [
  section('2.11 and 6.2 Webhooks of variant B', [
    [
      '2.11 secret',
      'is shown once, at creation, and again to a replay of the key alone',
      `${api}: 21: is created, shown without its secret, changed and deleted`,
      `${endpoint}: is created once for each key, shows its secret then, and again to a replay`,
      'apps/webhooks/test/difficult-receivers: is not in the database in clear',
    ],
    [
      '6.2 envelope',
      'has id, type, created_at and the data of the matching GET',
      `${api}: 6.2: is the resource as its GET shows it, and verifies with every kind of signature`,
    ],
    [
      '6.2 Svc-Signature',
      'holds by svix, standardwebhooks, Python and Go, and for no changed body',
      `${api}: 6.2: is the resource as its GET shows it, and verifies with every kind of signature`,
      `${api}: 8: verifies in Go, by the text of the guide alone`,
    ],
    [
      '6.2 delivery rule',
      'is seven retries after 1 s to 6 h, then failed',
      `${deliveries}: is retried seven times at the exact delays with the same bytes, then has failed`,
    ],
  ]),
  section('Decisions 21, 24 and 25: webhooks of variant B', [
    [
      'decisions 21 registration',
      'needs known events or ["*"]',
      `${api}: 25: the 21st is 409; unknown events, keys without permission and strangers are refused`,
    ],
    [
      'decisions 25 number of endpoints',
      'is at most 20; the 21st is 409',
      `${endpoint}: is refused as the 21st, also when they are created at once`,
    ],
    [
      'decisions 21 words',
      'are those of variant B for messages of both families; sms.queued is of family B only',
      `${endpoint}: gets messages of both families in variant B’s words, as their GET shows them`,
    ],
    [
      'decisions 4 rotation',
      'lets the old and the new secret sign for 24 hours',
      'apps/webhooks/test/difficult-receivers: signs for a day after it was replaced',
      'apps/webhooks/src/payloads/signature.policy: are made with both secrets until the old one expires, the plain one with the new only',
    ],
    [
      'decisions 25 disabled',
      'fails what is pending, makes nothing, and a replay is 409',
      `${endpoint}: gets nothing while it is disabled, what was pending fails, and recover brings it back`,
    ],
    [
      'decisions 21 DELETE',
      'drops what is pending',
      'apps/webhooks/test/fan-out: fails what waits for an endpoint that was deleted',
    ],
    [
      'decisions 8 disabled with notice',
      'after three days and 20 failures, or a 410',
      `${deliveries}: for three days and 20 times is disabled with notice, and PUT begins anew`,
      `${deliveries}: for three days but 19 times stays, and so does one that succeeded in between`,
      `${deliveries}: with 410 is announced as well, once`,
    ],
    [
      'decisions 25 test event',
      'is sent once with sequence 0, also to a disabled endpoint',
      `${endpoint}: is tried with a sample, once, also while it is disabled`,
    ],
    [
      'decisions 21 deliveries',
      'are listed with their attempts, by status, event_type and created_after',
      `${aged}: ends no list before the deliveries that are still there, and is not replayed`,
    ],
    [
      'decisions 21 replay',
      'is a new delivery with the same event id and bytes',
      `${api}: 21: is tried, its deliveries are listed and replayed, and what failed is recovered`,
    ],
    [
      'decisions 21 recover',
      'delivers what failed and what was missed while disabled, with its progress',
      `${endpoint}: gets nothing while it is disabled, what was pending fails, and recover brings it back`,
    ],
    [
      'decisions 21 bodies',
      'are kept for 30 days in both dialects',
      'apps/webhooks/test/events: shows and keeps 30 days, and forgets the rest in small bites',
      `${aged}: fails what waits for a retry`,
    ],
    [
      'decisions 21 workspace events',
      'reach svc.workspace-events.v1 once each, in their sequence',
      'apps/webhooks/test/workspace-events: are published once each, in the order of their numbers, by racing processes',
    ],
    [
      'decisions 24 events of a test key',
      'are those of test messages, and a live key sees all',
      `${api}: 24: a test key sees events of test messages only, a live key all of them`,
    ],
    [
      'decisions 24 body of an endpoint',
      'reaches no endpoint of another workspace',
      `${api}: decisions 24: a body reaches no endpoint of another workspace`,
    ],
    [
      'decisions 24 addresses of endpoints',
      'are public HTTPS; loopback only where the switch says so; checked at each connection',
      `${addresses}: takes HTTPS URLs of public hosts`,
      `${addresses}: takes receivers on this machine when the switch says so, and nothing else more`,
      `${addresses}: refuses every forbidden address that a name resolves to, in one text for all`,
      `${addresses}: asks the name again for every connection, and uses what it checked`,
      `${addresses}: does not follow redirects and does not look at proxy variables`,
    ],
    [
      'decisions 8 hanging endpoints',
      'delay no other endpoint, 600 of them neither',
      'apps/webhooks/test/hanging-endpoints: is served promptly, whether they are unknown or known',
    ],
  ]),
];
