/** Interface section 8, decisions 6 and 7: limits and idempotency. */
import { section } from '../rule.ts';

const anomaly = 'apps/dispatch/src/fraud/prefix-guard/prefix-anomaly.policy';

export const limitRules = [
  section('8 Limits', [
    [
      '8 idempotency window',
      'is 24 hours',
      'apps/billing/test/accept: counts for 24 hours, and then as new',
    ],
    [
      '8 idempotency key',
      'has at most 255 characters',
      'tests/api/idempotency: 8: has at most 255 characters',
      '@idempotency',
    ],
    ['8 idempotency POST', 'every POST under /v1 replays its answer', '@idempotency'],
    [
      '8 code_length',
      'is 4 to 8, default 6',
      'tests/api/otp: 2.1: code_length %j is refused, not defaulted',
    ],
    [
      '8 ttl_seconds',
      'is 1 to 3600, default 600',
      'tests/api/otp: 2.1: ttl_seconds %d is accepted and moves expires_at',
    ],
    ['8 sender ID', 'has at most 11 characters', '@limits'],
    ['8 phone number', 'is + and 8 to 15 digits', '@limits'],
    [
      '8 per IP',
      '100 a minute without a key, 1200 with one',
      'tests/set-up/process: decisions 6: 100 calls a minute without a valid key, /v1 only',
      'apps/gateway/test/limits: admits 100 calls a minute without a key, on all paths together',
      'apps/gateway/test/limits: has a limit of its own for those with a key, settable by the operator',
    ],
    [
      '8 per IP, own limiters',
      'auth endpoints and carrier callbacks have their own',
      'apps/gateway/test/login-limits: is not the limit on calls, which /auth has for itself',
      'apps/gateway/test/callbacks: never let a forger lock a carrier out',
    ],
    [
      '8 OTP sends',
      '3 per number in 10 minutes',
      'tests/api/limits: 8: 3 OTP sends per number in 10 minutes',
    ],
    [
      '8 OTP verifications',
      '10 per number in 10 minutes',
      'tests/api/limits: 8: 10 verifications per number in 10 minutes',
    ],
    ['8 SMS', '10 per number in a minute', 'tests/api/limits: 8: 10 SMS per number in a minute'],
    [
      '8 destinations',
      'are counted per workspace',
      'tests/api/limits: 8: workspaces do not share counters',
    ],
    [
      '8 prefix',
      '300 OTP sends an hour; the first six digits after +',
      'tests/api/limits: 8: OTP sends per prefix, the first six digits after +',
      'apps/gateway/src/limits/limit-table.policy: has the documented limits per destination',
    ],
    [
      '8 variant B rate',
      '10 requests a second for each workspace',
      'apps/gateway/test/limits: admits the burst, then one every tenth of a second',
    ],
    [
      '8 price list',
      'is held for 60 seconds',
      'tests/api/pricing: 4.1: needs no key and is cacheable for a minute',
    ],
    [
      '8 webhook timestamps',
      'are of the attempt, so that 5 minutes of tolerance do',
      'tests/api/webhook-endpoints: decisions 8: a 500 is retried after 1 s and 5 s, same bytes and id, signed anew',
    ],
    [
      '8 webhook attempts',
      'seven retries, then failed',
      'apps/webhooks/test/deliveries: is retried seven times at the exact delays with the same bytes, then has failed',
    ],
    ['8 rule 1', 'a 429 says in whole seconds when its counter resets, at least 1', '@limits'],
    [
      '8 rule 1 exact',
      'who waits that long is admitted',
      'libs/rate-limit/src/memory.adapter: returns exactly when the window ends, so that a caller who waits is admitted',
    ],
    [
      '8 rule 2',
      'every call counts against its key and its workspace',
      'tests/api/limits: 8 rule 2: each key has its own counter, every call counts',
      'tests/api/limits: 8 rule 2: the workspace has a counter over all its keys',
    ],
    [
      '8 rule 2 refused',
      'a request refused by its key does not count for the workspace',
      'tests/api/limits: 8 rule 2: refused by its key does not count on the workspace',
    ],
    ['8 rule 3', 'X-RateLimit-Remaining is the smaller of key and workspace', '@limits'],
    ['8 rule 4 list', 'a new workspace starts with its billing country', '@limits'],
    ['8 rule 4 logged', 'a send to a disabled country is logged and still sent', '@limits'],
    ['8 rule 4 enforced', 'then it is 403 country_not_enabled', '@limits'],
    [
      '8 rule 5 every five minutes',
      'prefixes are judged, by one process',
      'apps/dispatch/test/prefix-anomaly: is made once in five minutes, by one process',
    ],
    [
      '8 rule 5 flagged',
      'at least 30 OTPs, fewer than 20 % verified, three times the usual volume',
      `${anomaly}: %i sent, %i verified, %i in the week before: %p`,
      'apps/dispatch/test/prefix-anomaly: sees live one-time passwords of the last hour only',
      'apps/dispatch/test/prefix-anomaly: compares with the week before, and not with the week before that',
      'apps/dispatch/test/pumping-simulation: finds pumping soon, and never an honest prefix with at least 20 % verified',
    ],
    [
      '8 rule 5 first flag',
      'throttles for one hour to 10 OTPs an hour',
      `${anomaly}: the first throttles for an hour`,
      'apps/gateway/test/prefixes: lets 10 one-time passwords through in its hour, counted from its start',
    ],
    [
      '8 rule 5 second flag',
      'within a day blocks, until the block is lifted',
      'apps/dispatch/test/prefix-anomaly: blocks on the second flag within a day',
      'apps/gateway/test/prefixes: refuses every live send until it is lifted, which is audited',
    ],
  ]),
  section('Decisions 6: limits', [
    [
      'decisions 6 per IP',
      'IPv6 counts by /64, behind a configured number of proxies',
      'apps/gateway/test/limits: believes as many hops as there are proxies, and counts IPv6 by /64',
    ],
    ['decisions 6 defaults', '600 a minute per key, 1200 per workspace, settable', '@limits'],
    [
      'decisions 6 variant B',
      'in addition 10 a second, burst 20, for its own routes',
      '@limits',
      'apps/gateway/test/limits: admits the burst, then one every tenth of a second',
    ],
    [
      'decisions 6 order',
      'IP, key, workspace, then destination',
      'apps/gateway/src/limits/limit-table.policy: counts IP, key and workspace, in this order, by mode',
      'tests/api/limits: decisions 6: refused by its key does not count on the destination',
    ],
    [
      'decisions 6 replay',
      'never counts against destinations',
      'tests/api/limits: decisions 7: a replay never counts',
    ],
    [
      'decisions 6 test mode',
      'has its own counters, and none for destinations',
      'tests/api/limits: decisions 6: test-mode traffic has its own counters',
      'tests/api/limits: decisions 6: test mode is exempt',
    ],
    [
      'decisions 6 type of a 429',
      'is rate_limited on the routes of variant A, else rate_limit_exceeded',
      '@limits',
    ],
    [
      'decisions 6 guessing cap',
      '100 consecutive wrong codes per workspace and number',
      'apps/dispatch/test/guess-cap: judges the 100th and bars the number from then on, over all its codes',
      'apps/dispatch/test/guess-cap: starts anew with a right code',
      'apps/dispatch/src/verification/guess-cap.policy: neither counts nor bars in test mode',
    ],
    ['decisions 6 X-RateLimit-Remaining', 'is on every successful /v1 answer to a key', '@limits'],
    [
      'decisions 6 prefix rule',
      'no new flag while throttled; again within 24 hours blocks',
      `${anomaly}: nothing while throttled, %i ms later`,
      `${anomaly}: again within a day, %i ms later, blocks`,
      `${anomaly}: a day later it is a first one again`,
    ],
    ['decisions 6 country setting', 'is off, log or enforce; log unless set', '@limits'],
    [
      'decisions 6 message size',
      '1600 characters as given and 10 segments as measured',
      'tests/api/sms-content: decisions 6: 1600 characters count as given, ten segments as measured',
    ],
    [
      'decisions 24 request size',
      '64 KiB on routes that send or check one message; more is 413 validation_error',
      'tests/api/errors: decisions 24: more than 64 KiB is 413 validation_error',
    ],
    [
      'decisions 24 JSON values',
      'at most 10,000 values; more are 400 validation_error',
      'tests/api/errors: decisions 24: more than 10,000 JSON values are 400 validation_error',
    ],
  ]),
  section('Decisions 7: idempotency', [
    [
      'decisions 7 scope',
      'is workspace, mode, method, path and key',
      'tests/api/idempotency: decisions 7: another path is another scope',
      'tests/api/idempotency: decisions 7: another mode is another scope',
      'tests/api/idempotency: decisions 7: another workspace is another scope',
      'tests/api/idempotency: decisions 7: another API key of the workspace and mode is the same scope',
    ],
    [
      'decisions 7 fingerprint',
      'is of the canonical JSON body',
      'tests/api/idempotency: decisions 7: the fingerprint is of the JSON, not of its spelling',
    ],
    [
      'decisions 7 stored',
      '2xx are replayed with Idempotent-Replayed: true',
      '@idempotency',
      'tests/api/idempotency: decisions 7: %s is replayed byte by byte with its header',
    ],
    [
      'decisions 7 errors',
      'are not stored',
      'tests/api/idempotency: decisions 7: errors are not stored',
    ],
    [
      'decisions 7 in flight',
      'is 409 conflict with Retry-After: 1',
      'tests/api/idempotency: decisions 7: twenty at once make one message and one charge',
    ],
    [
      'decisions 7 another body',
      'is 409 idempotency_conflict',
      'tests/api/idempotency: 7: another body is 409 idempotency_conflict and charges nothing',
    ],
    [
      'decisions 7 on the row of the effect',
      'one charge and one message with every cache lost',
      'tests/faults/deaths: every invariant holds',
      'apps/billing/test/accept: gives one charge and the same answer, in parallel and later',
    ],
    [
      'decisions 7 verify',
      'a replay counts no attempt',
      'tests/api/idempotency: decisions 7: on verify a replay counts no attempt',
    ],
  ]),
];
