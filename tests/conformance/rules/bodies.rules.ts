/** Interface sections 2.1 to 2.7: what goes in and what comes out. */
import { section } from '../rule.ts';

const sent = 'tests/api/otp: 2.2: answers exactly the documented fields with their types';
const details =
  'tests/api/otp: 2.4: has every required field with its type, right after the send too';
const smsSent =
  'tests/api/sms: decisions 3: answers exactly the documented fields with their types';
const members = 'tests/api/pricing: decisions 3: has exactly the documented members';

export const bodyRules = [
  section('2.1 OTP send request', [
    [
      '2.1 phone_number',
      'is a string in E.164 and required',
      'tests/api/otp: 2.1: a missing phone_number is named',
      'tests/api/otp: 10: %j is no E.164 number: validation_error on phone_number',
      '@otp-send',
    ],
    [
      '2.1 code_length',
      'is an integer from 4 to 8',
      'tests/api/otp: 2.1: code_length %d gives a code of that length',
      'tests/api/otp: 2.1: code_length %j is refused, not defaulted',
    ],
    ['2.1 code_length default', 'left out it is 6, and 0 is not left out', '@otp-send'],
    [
      '2.1 ttl_seconds',
      'is an integer from 1 to 3600',
      'tests/api/otp: 2.1: ttl_seconds %d is accepted and moves expires_at',
      'tests/api/otp: 2.1: ttl_seconds %j is refused',
    ],
    ['2.1 ttl_seconds default', 'left out it is 600', '@otp-send'],
    ['2.1 language', 'is en or fr', 'tests/api/otp: 2.1: language %j is refused'],
    [
      '2.1 language default',
      'left out it is the default language of the workspace',
      'tests/api/otp: 2.1: an omitted language means the default of the workspace',
    ],
    [
      '2.1 metadata',
      'is an object, stored and returned by GET /v1/otp/{id}',
      'tests/api/otp: 2.1: metadata comes back from GET as it was given',
      'tests/api/otp: 2.1: metadata %j is no object',
    ],
    [
      '2.1 Accept-Language',
      'never affects the body of the SMS',
      'tests/api/otp: 2.1: language chooses the text, Accept-Language never does',
    ],
  ]),
  section('2.2 OTP send response', [
    ['2.2 id', 'is a UUID, used with verify and get', sent, '@otp-send'],
    ['2.2 phone_number', 'is the E.164 destination', sent],
    ['2.2 country_code', 'is ISO 3166-1 alpha-2, from the number', sent, '@otp-send'],
    ['2.2 credit_cost', 'is an integer: the credits consumed', sent, '@otp-send'],
    ['2.2 status', 'is always pending', sent, '@otp-send'],
    ['2.2 code_length', 'is the number of digits in the code', sent, '@otp-send'],
    ['2.2 expires_at', 'is created_at and ttl_seconds; later nothing verifies', sent, '@otp-send'],
    ['2.2 created_at', 'is a date-time in UTC', sent],
  ]),
  section('2.3 OTP verify', [
    ['2.3 otp_id', 'is a UUID and required', '@otp-verify'],
    ['2.3 code', 'is a string and required', '@otp-verify'],
    [
      '2.3 valid',
      'says whether the code matched',
      'tests/api/otp-verify: 2.3: the right code is valid and has no attempts_remaining',
      '@otp-verify',
    ],
    ['2.3 status', 'is pending, sent, verified or failed, as after this attempt', '@otp-verify'],
    ['2.3 attempts_used', 'counts this attempt', '@otp-verify'],
    [
      '2.3 attempts_remaining',
      'is there only when valid is false',
      'tests/api/otp-verify: 2.3: the right code is valid and has no attempts_remaining',
      '@otp-verify',
    ],
  ]),
  section('2.4 OTP details', [
    ['2.4 required fields', 'are all there, with their types', details],
    ['2.4 metadata and timeline', 'are returned also', details],
    ['2.4 code', 'is never returned', 'tests/api/otp: 2.4: never shows the code', '@otp-verify'],
  ]),
  section('2.5 Transactional SMS', [
    ['2.5 status of a send', 'is always pending', smsSent],
    [
      '2.5 workspace',
      'an SMS is shown to its own workspace only',
      'tests/api/sms: 2.5: only the own workspace sees it; an OTP is no SMS',
    ],
    [
      '2.5 record',
      'carries status, metadata and timeline',
      'tests/api/sms: decisions 3: is the union record of both variants',
    ],
    [
      '2.5 tagged metadata',
      'anti-spam may tag it',
      'tests/api/magic-numbers: 41 as an SMS is tagged and delivered',
      '@sms',
    ],
    ['2.5 status values', 'are pending, sent, delivered, failed and blocked', '@sms'],
  ]),
  section('2.6 Timeline', [
    [
      '2.6 OTP',
      'queued, sent, delivered, then verified, expired or failed',
      'tests/api/otp: 2.6: the timeline lists the reached hops, oldest first',
      '@timeline',
    ],
    ['2.6 SMS', 'queued, sent, then delivered, failed or blocked', '@timeline'],
    ['2.6 oldest first', 'times never go back, also under contradicting receipts', '@timeline'],
    ['2.6 failed and blocked', 'carry a reason and refunded, as the ledger has it', '@timeline'],
    [
      '2.6 receipt',
      'delivered appears only when the carrier sends one',
      'tests/api/sms: 2.6: without a receipt it stays sent and paid for',
      '@timeline',
    ],
    ['2.6 delivery rate', 'there is none', members],
  ]),
  section('2.7 Price list', [
    [
      '2.7 countries',
      'are ordered cheapest first',
      'tests/api/pricing: 2.7: is ordered cheapest first, and the span covers default and network rates',
    ],
    [
      '2.7 credits',
      'is charged when no network rate matches',
      'apps/billing/src/prices/price-list.policy: is the country’s when the network is unknown or has no rate',
      'tests/api/otp: 1.10, decisions 3: %s costs %d credits',
    ],
    [
      '2.7 networks',
      'are the rates an operator set, and are charged',
      'tests/api/ported-numbers: decisions 16: an edit holds for sends within 5 s, rates of networks too',
    ],
    [
      '2.7 min_credits and max_credits',
      'span the default and the network rates',
      'tests/api/pricing: 2.7: is ordered cheapest first, and the span covers default and network rates',
    ],
    [
      '2.7 listed',
      'tells the published destinations; others are billed as shown',
      'tests/api/pricing: 1.10: the eight priced markets are listed at their prices',
      'tests/api/pricing: 2.7: unlisted destinations are shown at the price they are billed',
    ],
  ]),
];
