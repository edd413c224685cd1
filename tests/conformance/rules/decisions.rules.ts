/** Decisions 1, 2 and 3: words, keys and sessions, and the bodies of variant A. */
import { section } from '../rule.ts';

const details =
  'tests/api/otp: 2.4: has every required field with its type, right after the send too';
const union =
  'tests/api/sms-content: decisions 3: is the union record, field by field and nothing else';
const members = 'tests/api/pricing: decisions 3: has exactly the documented members';

export const decisionRules = [
  section('Decisions 1: words and identities', [
    ['decisions 1 workspace', 'is one UUID, and workspace_id in variant A', '@records'],
    ['decisions 1 ids', 'are UUIDv7; event ids are evt_ and 32 hexadecimal digits', '@records'],
    [
      'decisions 1 one machine',
      'its states are shown in variant A’s words',
      'apps/webhooks/src/payloads/envelope.policy: shows rejected and cancelled as failed',
      '@records',
    ],
    [
      'decisions 1 variant B',
      'has its own words for them',
      'tests/api/messaging: decisions 18: magic number %d is accepted, then rejected with %s',
      'tests/api/messaging-lists: decisions 16: a cancelled message has no reason in the words of variant B',
    ],
    [
      'decisions 1 terminal',
      'states never change',
      'apps/dispatch/src/channels/channels: never leaves a terminal state',
      'tests/api/failover: decisions 1: failed after delivered leaves delivered and paid for',
    ],
    [
      'decisions 1 late receipt',
      'leaves failed, refunded once, and is recorded as late_delivery',
      'tests/api/failover: decisions 1: delivered after failed leaves failed, refunded once',
      'apps/dispatch/test/send-and-report: stays a failure when a delivery comes late',
    ],
  ]),
  section('Decisions 2: keys and sessions', [
    ['decisions 2 prefix', 'svc_live_ or svc_test_ and 32 base62 characters', '@authentication'],
    [
      'decisions 2 stored',
      'as a hash, a display prefix and the last four characters',
      'apps/gateway/test/auth: are stored as a hash only',
      'tests/api/operator: decisions 13: POST shows the key once, GET never',
    ],
    ['decisions 2 full', 'is the default and opens everything', '@authentication'],
    ['decisions 2 sending', 'opens none of variant A', '@authentication'],
    ['decisions 2 otp', 'opens every /v1/otp route and no other', '@authentication'],
    ['decisions 2 agent', 'opens nothing under /v1', '@authentication'],
    [
      'decisions 2 agent budget',
      'and its country allow-list bound the agent endpoint',
      '@agents',
      'tests/api/agents: is never exceeded by 100 parallel calls, and a dry run knows it',
    ],
    [
      'decisions 2 revoked',
      'is refused on the next request, on every instance',
      'tests/api/errors: decisions 2: a revoked key is refused on the very next request',
      'tests/split/revocation: is refused by both gateways as soon as the revocation is answered, in 40 of 40 runs',
      'apps/gateway/test/gateway-lease: announces a change to every gateway, and waits until each uses it',
    ],
    [
      'decisions 2 signup and login',
      'answer user and workspace and set the cookie',
      'tests/api/accounts: decisions 2 and 16: answers user, workspace and csrf_token, and sets a cookie',
      'tests/api/accounts: decisions 2: of the demo workspace, by dev-credentials.json',
      'apps/gateway/test/accounts: has a cookie that scripts, other sites and plain HTTP do not get',
      'apps/gateway/test/accounts: is secure everywhere but on loopback',
      'apps/gateway/test/accounts: ends after twelve hours',
    ],
    [
      'decisions 2 logout and me',
      'end the session, and tell who has it',
      'tests/api/accounts: ends with a logout',
    ],
    [
      'decisions 2 argon2id',
      'is what passwords are kept as',
      'apps/gateway/test/accounts: keeps passwords as argon2id hashes, and nothing of a session but a hash',
    ],
    [
      'decisions 2 CSRF',
      'unsafe dashboard calls carry X-CSRF-Token',
      'tests/api/accounts: decisions 2: unsafe calls need the X-CSRF-Token',
    ],
    [
      'decisions 2 failures',
      '5 a minute per account and per IP',
      'apps/gateway/test/login-limits: of a %s account holds from everywhere',
      'apps/gateway/test/login-limits: of an address on the network holds for every account',
    ],
    [
      'decisions 2 roles',
      'are owner and member, and operator of the platform',
      'tests/api/accounts: decisions 2: has members, by invitation, with roles',
      'apps/gateway/test/operator-users: needs the CSRF token for calls that change something',
    ],
    ['decisions 2 dashboard', 'has every route that is named', '@authentication'],
  ]),
  section('Decisions 3: bodies of variant A', [
    ['decisions 3 phone_number', 'is required of an SMS', '@sms'],
    [
      'decisions 3 message',
      'is required and has 1 to 1600 characters',
      '@sms',
      'tests/api/sms-content: decisions 6: 1600 characters count as given, ten segments as measured',
    ],
    ['decisions 3 sender_id', 'has at most 11 characters', '@sms'],
    [
      'decisions 3 SMS answer',
      'has exactly its fields',
      'tests/api/sms: decisions 3: answers exactly the documented fields with their types',
    ],
    ['decisions 3 union', 'both variants share one record', union],
    [
      'decisions 3 union of a failure',
      'adds reason and refunded, and antispam where there is a verdict',
      'tests/api/sms-content: decisions 3: what is not there is null, and a failure adds two fields',
      '@sms',
    ],
    ['decisions 3 OTP record', 'has its further required fields', details],
    ['decisions 3 nullable', 'sent_at, delivered_at, verified_at and failed_at', '@records'],
    ['decisions 3 optional', 'reason and refunded are there on failure only', '@records'],
    [
      'decisions 3 metadata',
      'has at most 50 keys and 4 KiB',
      'tests/api/otp: decisions 3: metadata has at most 50 keys',
      'tests/api/otp: decisions 3: metadata has at most 4 KiB',
      'tests/api/sms: decisions 3: metadata is bounded and must be an object',
    ],
    ['decisions 3 hop', 'has status and timestamp; terminal failures add two', '@timeline'],
    ['decisions 3 price list', 'has exactly its members', members],
    [
      'decisions 3 price list caching',
      'Cache-Control: public, max-age=60, and an ETag',
      'tests/api/pricing: 4.1: needs no key and is cacheable for a minute',
      'tests/api/pricing: decisions 3: its ETag answers a conditional request with 304',
    ],
    [
      'decisions 3 default prices',
      '1 credit is 100 kobo; eight markets; 120 elsewhere',
      'tests/api/pricing: 1.10: the eight priced markets are listed at their prices',
      'tests/api/pricing: 2.7: unlisted destinations are shown at the price they are billed',
      'tests/api/otp: 1.10, decisions 3: %s costs %d credits',
    ],
    [
      'decisions 3 editable',
      'prices are an operator’s to change',
      'tests/api/ported-numbers: decisions 16: an edit holds for sends within 5 s, rates of networks too',
    ],
    [
      'decisions 3 code',
      'is uniform digits, leading zeros kept',
      'apps/dispatch/src/verification/otp-secrets: are uniform digits with their leading zeros',
    ],
    [
      'decisions 3 verify precedence',
      'unknown, verified, exhausted, expired, otherwise ended',
      'tests/api/otp-verify: decisions 3: verified wins over expired',
      'tests/api/otp-verify: decisions 3: exhausted wins over expired',
      'tests/api/otp-verify: decisions 3: an OTP that failed for another reason is 409 conflict',
      '@otp-verify',
    ],
    ['decisions 3 verify of delivered', 'is reported as sent', '@otp-verify'],
    ['decisions 3 wrong code', 'counts in every non-terminal state', '@otp-verify'],
    [
      'decisions 3 last wrong code',
      'is 200 and failed with 0 left; otp.failed is not refunded',
      'tests/api/otp-verify: 3.1: the wrong code that exhausts the budget fails the OTP; then 409',
      'tests/api/webhooks: decisions 3: the exhausted attempt budget fires otp.failed, not refunded',
    ],
    [
      'decisions 3 expiry',
      'sent and delivered expire lazily and by sweeper, with otp.expired, unrefunded',
      'tests/api/otp-verify: decisions 3: past expires_at it is expired, not refunded; verify is 409',
      'tests/api/otp-verify: decisions 3: GET alone finds the expiry',
      'tests/api/webhooks: decisions 8: opt-in events come only when asked for',
    ],
    [
      'decisions 3 never handed over',
      'pending at expires_at: failed as expired, refunded, 409 otp_expired',
      'tests/api/failover: decisions 3: an OTP that nobody accepts before it expires is refunded',
      '@otp-states',
    ],
    [
      'decisions 3 unanswered at expiry',
      'the outcome of the submit decides',
      'apps/dispatch/test/otp-life: during a submit is settled by its answer, and asks no other provider',
    ],
    [
      'decisions 3 refused number',
      'is validation_error for an OTP and phone_invalid for an SMS',
      '@errors',
    ],
    [
      'decisions 3 lists',
      'GET /v1/otp and GET /v1/sms',
      'tests/api/accounts: decisions 15: GET /v1/otp and /v1/sms page, stable while others come',
    ],
    [
      'decisions 3 resend',
      'same code and expiry, next best provider, charged, at most 3',
      'tests/api/otp-resend: decisions 3: the same code, the same expiry, the next best provider, charged',
      'tests/api/otp-resend: decisions 3: at most three per OTP, also at once',
    ],
    [
      'decisions 3 cancel',
      'fails as cancelled; refunded only if nobody had accepted; terminal is 409',
      'tests/api/otp-cancel: decisions 3: after a provider took it, nothing is given back',
      'tests/api/otp-cancel: decisions 3: an OTP that %s is 409 conflict',
      '@otp-states',
    ],
    [
      'decisions 16 cancelled while unanswered',
      'is refunded only if the submit turns out not accepted',
      'tests/api/otp-cancel: decisions 16: while a submit is open that %s, refunded tells the truth',
      'apps/dispatch/test/otp-life: during a submit is settled by its answer, and asks no other provider',
      'apps/dispatch/test/otp-life: waits for a report, and is not refunded',
      'apps/dispatch/test/otp-life: is not refunded once a report proves that the carrier whose answer was lost took the message',
    ],
    [
      'decisions 28 erasure',
      'is blocked by nothing: ended messages at once, scheduled ones cancelled, others when they end',
      'tests/api/erasures: decisions 28: an erasure cancels and refunds scheduled messages, and erases others when they end',
      'apps/dispatch/test/erasure: cancels scheduled messages with a refund, and does not count test messages',
      'apps/dispatch/test/email-erasure: cancels scheduled emails, to several recipients too',
    ],
    [
      'decisions 3 balance and ledger',
      'GET /v1/balance and GET /v1/ledger',
      'tests/api/accounts: decisions 15 and 16: balance, ledger, and all of it as CSV',
    ],
    [
      'decisions 3 events',
      'GET /v1/events?after=, for 30 days',
      'tests/api/events: 15: the envelopes as they were delivered, oldest first, without a gap',
      'apps/webhooks/test/events: shows and keeps 30 days, and forgets the rest in small bites',
    ],
    [
      'decisions 3 quote',
      'POST /v1/quote',
      'tests/api/quote: 15: tells price, segments, encoding, rewriting and every gate, and charges nothing',
      'tests/api/quote: 15: tells of a text that anti-spam would block or tag',
    ],
  ]),
];
