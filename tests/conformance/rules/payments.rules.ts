/** Decisions 5, 21 and 25: payments, automatic top-up, plans and quotas. */
import { section } from '../rule.ts';

const api = 'tests/api/payments';
const payments = 'apps/billing/test/payments/payments';
const reversals = 'apps/billing/test/payments/reversals';
const topUps = 'apps/billing/test/payments/top-ups';
const savedCards = 'apps/billing/test/payments/saved-cards';
const plan = 'tests/api/plan';
const grants = 'apps/billing/test/grants';

export const paymentRules = [
  section('Decisions 21 and 25: payments', [
    [
      'decisions 21 payments',
      'are entered once, when provider, reference, amount and currency fit',
      `${api}: decisions 21: are created by owners, confirmed by an operator, and entered once`,
      `${payments}: makes no entry of another %s, and holds it for an operator`,
      `${payments}: makes one entry of \${DUPLICATES} concurrent duplicates of a callback`,
    ],
    [
      'decisions 21 payment keys',
      'make one payment, and a replay is the first answer',
      `${api}: decisions 21: one key creates one payment`,
      `${payments}: opens one payment under one key, also when the answer was lost`,
      `${payments}: replays a refusal of the provider as a refusal`,
    ],
    [
      'decisions 21 signatures',
      'are checked over the raw bytes before anything is read',
      `${api}: decisions 21: a callback without a signature is refused before it is read`,
      `${payments}: believes nothing that the provider has not signed`,
    ],
    [
      'decisions 21 pending payments',
      'are asked for, and expire after a day',
      `${payments}: asks about a payment whose callback never came`,
      `${payments}: expires after a day, and still takes the money that comes later`,
    ],
    [
      'decisions 21 refunded payments',
      'leave a debt that later purchases pay, and refunds of messages',
      `${reversals}: takes a refund back once; what was spent is a debt that later purchases pay`,
      `${reversals}: takes parts of a payment back, and a dispute the rest`,
      `${reversals}: asks for the payment when its refund comes first`,
      `${reversals}: pays a debt with what messages give back, before it can be spent`,
    ],
    [
      'decisions 25 confirmation',
      'by an operator enters a manual payment once',
      `${payments}: are confirmed by an operator, once`,
      `${payments}: cannot save an authorisation; others are not confirmed by hand`,
    ],
    [
      'decisions 21 top-up settings',
      'need a saved authorisation',
      `${api}: decisions 21: automatic top-up needs a saved authorisation and a cap above its amount`,
      `${topUps}: need a saved authorisation, which is encrypted and bound to its workspace`,
    ],
    [
      'decisions 21 top-up',
      'buys below the threshold, one charge in flight, within the monthly cap',
      `${topUps}: buy when the balance is below the threshold, and not at it`,
      `${topUps}: buy once, though several processes look at once`,
      `${topUps}: keep to the monthly cap, and begin anew with the month`,
    ],
    [
      'decisions 21 lost answers',
      'of a charge are looked up, and nothing is charged twice',
      `${topUps}: charge once, though the answer of the charge was lost`,
      `${topUps}: find a charge whose answer was lost, though another card was saved since`,
      `${topUps}: end a running charge neither for an older decline nor for being switched off`,
    ],
    [
      'decisions 21 retries',
      'come after 15 m, 1 h, 6 h and 24 h, then it is switched off with an event',
      `${topUps}: are retried, then switched off with an event`,
      `${topUps}: are not retried once an owner has switched them off`,
      `${topUps}: are switched off by a %s`,
      `${topUps}: succeed on a retry, and make one entry`,
    ],
    [
      'decisions 21 faults of a provider',
      'are no decline, and a report that does not fit ends the charge',
      `${topUps}: take a provider that is out of order for no decline`,
      `${topUps}: end when the report of a charge does not fit, until an owner enables them again`,
    ],
    [
      'decisions 21 payments of others',
      'are unknown, and a body names no other workspace',
      `${api}: decisions 21: another workspace has no such payment`,
      `${api}: decisions 24: a body names no other workspace`,
    ],
    [
      'decisions 21 requests of payments',
      'are refused with their field, and lists go on with a cursor',
      `${api}: decisions 21: %s of %j is refused`,
      `${api}: decisions 21: pages go on with a cursor`,
    ],
  ]),
  section('Decisions 28: saved cards', [
    [
      'decisions 28 saved card',
      'pays what its person agreed to; other owners lower it, turn it off and delete it',
      `${savedCards}: a saved card pays only what its person agreed to; other owners may lower that and turn it off and on`,
      `${savedCards}: a saved card does not pay for settings that were stored before it`,
      `${savedCards}: after a dispute only the person who saved the card turns automatic top-up on again`,
      `${savedCards}: any owner may delete the saved card, which turns automatic top-up off`,
      `${api}: decisions 28: deleting the saved authorisation answers 204 also where there is none`,
    ],
    [
      'decisions 28 owner who leaves',
      'takes the saved card along; audit and an email say so',
      `${savedCards}: the saved card of an owner who leaves is deleted, and is not charged between two tries`,
      `${savedCards}: a payment that a person began as an owner saves no card after they left`,
      'apps/gateway/test/email-confirmation: a saved card is deleted before its person is removed, and confirmed owners are notified',
    ],
    [
      'decisions 28 suspended workspace',
      'is never charged',
      `${savedCards}: a saved card is not charged while the workspace is suspended, nor for more than is set now`,
    ],
    [
      'decisions 28 pending payments',
      'are five of a workspace at most',
      `${savedCards}: a workspace has at most five pending payments, also when six are made at once`,
      `${api}: decisions 28: a sixth pending payment of a workspace is 409, and others go on`,
    ],
  ]),
  section('Decisions 5, 18 and 25: plans and quotas', [
    [
      'decisions 18 quota',
      'is consumed first, segment by segment, then the wallet pays',
      `${plan}: decisions 5: is consumed first, then the wallet pays, then nobody does`,
      `${grants}: is consumed first, and what exceeds it is taken from the wallet, in order of arrival`,
    ],
    [
      'decisions 18 quota of OTPs',
      'is none, and test keys leave it alone',
      `${plan}: is left alone by one-time passwords and test keys; a key gives the same answer`,
    ],
    [
      'decisions 18 month',
      'is the UTC month of acceptance, and a refund goes back to it',
      `${grants}: is a new one when the month changes in UTC`,
      `${grants}: returns segments to the month that they are of, and credits to the wallet, once`,
    ],
    [
      'decisions 18 empty wallet',
      'is sms_quota_exceeded, also without a plan',
      'tests/api/messaging: decisions 18: an empty wallet is sms_quota_exceeded',
    ],
    [
      'decisions 25 plan',
      'is deleted by setting both quotas to 0',
      `${plan}: decisions 25: is deleted by setting both quotas to 0`,
      `${plan}: refuses what is no quota, and whom it does not know`,
    ],
  ]),
];
