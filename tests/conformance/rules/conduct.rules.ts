/** Decisions 5, 9 and 12: money, content and routing, test mode. */
import { section } from '../rule.ts';

const numbers = 'tests/api/magic-numbers';

export const conductRules = [
  section('Decisions 5: money', [
    ['decisions 5 ledger', 'the balance is the sum of its entries, in credits', '@money'],
    [
      'decisions 5 quota',
      'of SMS segments is consumed first; the default is 0',
      'tests/api/plan: decisions 5: is none by default, and is set by the operator',
      'tests/api/plan: decisions 5: is consumed first, then the wallet pays, then nobody does',
      'apps/billing/test/grants: is consumed first, and what exceeds it is taken from the wallet, in order of arrival',
      'apps/billing/test/grants: serves exactly to its edge, in two processes at once',
    ],
    [
      'decisions 5 quota of emails',
      'is consumed first',
      'tests/api/email-links: decisions 5, 20: the plan pays first, then the wallet, then 402 quota_exceeded',
    ],
    [
      'decisions 5 refund',
      'returns exactly what was taken',
      '@money',
      'tests/api/plan: decisions 5: gets back in kind what a message took that failed',
    ],
    [
      'decisions 5 402',
      'is insufficient_credits in variant A',
      'tests/api/money: issue 3: too few credits is 402, and nothing is written or sent',
    ],
    [
      'decisions 5 402 of variant B',
      'is sms_quota_exceeded for an SMS',
      'tests/api/messaging: decisions 18: an empty wallet is sms_quota_exceeded',
    ],
    ['decisions 5 top-ups', 'are trial, purchase, bonus and adjustment', '@money'],
    [
      'decisions 5 bought',
      'counts purchases only',
      'tests/api/money: decisions 13: answers the entry and the balance, and counts purchases',
    ],
    [
      'decisions 5 trial',
      'is 10 credits at signup',
      'tests/api/accounts: [1.10] and decisions 5: gives 10 credits of kind trial, which send',
    ],
    [
      'decisions 5 refund once',
      'for failed and blocked, never for expired or wrong codes',
      'tests/api/money: issue 3: ten parallel failures are refunded once each',
      '@money',
    ],
    [
      'decisions 5 cancelled',
      'is refunded before hand-over only',
      'tests/api/otp-cancel: decisions 3: after a provider took it, nothing is given back',
    ],
    [
      'decisions 5 test keys',
      'debit nothing, and tell the cost and the refund of live',
      'tests/api/money: decisions 5: test keys debit nothing and write no entry, and report the cost',
      '@money',
    ],
    [
      'decisions 5 refused',
      'a 4xx or a 429 never charges',
      'tests/api/errors: decisions 5: a 4xx never charges',
      '@money',
    ],
    [
      'decisions 5 unanswered',
      'charges at most once, however often the client retries',
      'tests/faults/deaths: every invariant holds',
    ],
    [
      'decisions 5 automatic top-up',
      'threshold, amount and payment through a port',
      'apps/billing/test/payments/top-ups: buy when the balance is below the threshold, and not at it',
      'apps/billing/test/payments/top-ups: keep to the monthly cap, and begin anew with the month',
      'apps/billing/test/payments/top-ups: are retried, then switched off with an event',
    ],
    ['decisions 5 credit_balance.low', 'fires once per crossing of the threshold', '@money'],
  ]),
  section('Decisions 9: content, routing, fraud', [
    [
      'decisions 9 rewriting',
      'touches only what GSM-7 cannot carry; the original is kept',
      '@sms',
      'libs/telephony/src/rewrite: returns a GSM-7 text unchanged',
      'tests/api/accounts: decisions 9: the original of a rewritten SMS is kept, and the dashboard shows it',
    ],
    [
      'decisions 9 accents',
      'are never touched',
      'tests/api/sms-content: decisions 9: accents are never touched',
    ],
    [
      'decisions 9 empty body',
      'is never stored or sent',
      'tests/api/sms-content: decisions 9: %j leaves nothing to send',
      'tests/api/sms-content: decisions 9: white space alone is nothing without rewriting too',
    ],
    [
      'decisions 9 reasons',
      'a failure names one of the 24 tokens',
      `${numbers}: domain 3.1: every reason can be met in test mode`,
    ],
    [
      'decisions 9 table',
      'decides retry, failover, health and refund',
      'tests/api/failover: domain 3.1: %s %d is never routed round',
      'tests/api/failover: domain 3.1: after a 500 %s goes on',
      'apps/dispatch/src/routing/provider-health.policy: opens at once when the provider refuses us, and not for what numbers are to blame for',
    ],
    [
      'decisions 9 ambiguous OTP',
      'goes to the next provider with the same code',
      'tests/api/failover: decisions 9: an OTP accepted without an answer may come twice, with one code',
    ],
    [
      'decisions 9 ambiguous SMS',
      'asks, or waits 30 s for a receipt, then fails over',
      'tests/api/failover: decisions 9: an SMS accepted without an answer is delivered by its receipt, once',
      'tests/api/failover: decisions 9: fails over only after 30 s, every attempt told, charged once',
      'apps/dispatch/test/send-and-report: asks the provider where it can be asked',
    ],
    [
      'decisions 9 attempts',
      'are recorded before the call is made',
      'apps/dispatch/test/recovery: is an ambiguous attempt: an OTP goes on with the next provider and the same code',
    ],
    [
      'decisions 9 anti-spam',
      'rules by default, an optional classifier over HTTP behind the same port, never OTPs',
      'apps/dispatch/src/fraud/anti-spam/screening.policy: is of SMS whose workspace wants it, never of one-time passwords',
      'apps/dispatch/src/fraud/anti-spam/http-classifier.adapter: flags from the threshold on',
      'apps/dispatch/src/fraud/anti-spam/http-classifier.adapter: is not asked about what the rules flag, and cannot talk them out of it',
      '@sms',
    ],
    [
      'decisions 9 prefix anomaly',
      'a lift is audited, by operator or owner, with a reason',
      'apps/gateway/test/prefixes: refuses every live send until it is lifted, which is audited',
      'apps/gateway/test/prefixes: is the workspace’s own affair',
      'tests/api/prefix: 13: says why',
    ],
  ]),
  section('Decisions 12: test mode', [
    [
      'decisions 12 magic numbers',
      'end as documented',
      `${numbers}: %s %s ends as documented`,
      `${numbers}: %s as %s is answered %d %s`,
    ],
    [
      'decisions 12 magic addresses',
      'of emails',
      'tests/api/emails: test mode: %s@sim.test ends as %s',
    ],
    [
      'decisions 12 live keys',
      'take them as ordinary numbers; the fictional are refused',
      '@test-mode',
      'tests/api/sms: domain 8.2: a live key is refused the fictional ranges as phone_invalid',
    ],
    [
      'decisions 12 native codes',
      'are what the carrier simulator answers a live key with',
      '@test-mode',
    ],
    ['decisions 12 OTP 30 and 31', 'fail with dnd_active and sender_id_rejected', '@test-mode'],
    [
      'decisions 12 any other number',
      'is delivered after one second',
      'tests/api/otp-test-mode: decisions 12: any other number is delivered after one second',
    ],
    [
      'decisions 12 code',
      'is the first digits of 12345678',
      'tests/api/otp-test-mode: decisions 12: a code of %d digits is known',
    ],
    [
      'decisions 12 no jitter',
      'the same again is the same again',
      `${numbers}: no chance: the same again is the same again`,
    ],
  ]),
];
