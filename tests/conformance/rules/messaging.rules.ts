/** Variant B of SMS: interface sections 2.8 to 3.3 and decisions 17, 18, 19, 25. */
import { section } from '../rule.ts';

const sms = 'tests/api/messaging';
const registrations = 'tests/api/sms-registrations';
const lists = 'tests/api/messaging-lists';

export const messagingRules = [
  section('2.8, 3.3 and 4.2 SMS of variant B', [
    [
      '4.2 send',
      'answers 202 with the record, null where nothing is known',
      `${sms}: decisions 18: answers 202 with exactly the members of the record`,
    ],
    [
      '3.3 cancel',
      'is refused for what a carrier has',
      `${sms}: 3.3: refuses to cancel what a carrier has, and 404 for unknown ids`,
    ],
    [
      '3.3 queued',
      'is told of every accepted send, also of one that is rejected before any attempt',
      'tests/api/webhooks-variant-b: 3.3: number %d, accepted and refused before any attempt, is queued and then rejected',
    ],
    [
      '4.2 templates',
      'are created, rendered, sent, changed and deleted',
      `${registrations}: 2.10: are created, rendered, sent, changed and deleted`,
    ],
    [
      '4.2 sender IDs',
      'are requested, reviewed and then enforced',
      `${registrations}: 2.9: are requested, reviewed and then enforced`,
      `${registrations}: 1.10: are open to workspaces that bought 10,000 credits`,
    ],
    [
      '5.4 sending key',
      'sends, and is refused everything else',
      `${sms}: 5.4: a sending key sends, and is refused everything else`,
    ],
  ]),
  section('Decisions 17, 18, 19 and 25: SMS of variant B', [
    ['decisions 17 cursor', 'belongs to one list', `${lists}: decisions 17: belong to one list`],
    [
      'decisions 17 null',
      'stands for a value that is not known, also in an attempt',
      `${lists}: decisions 17: an attempt has every member, null while it is not known`,
    ],
    [
      'decisions 17 order',
      'of refusals is text, sender, destination',
      `${sms}: decisions 25: the sender is judged before the destination, the text before both`,
    ],
    [
      'decisions 18 replay',
      'repeats the answer for the same key',
      `${sms}: decisions 7: replays the same answer for the same key`,
    ],
    [
      'decisions 18 rejected',
      'is what numbers 42 to 44 become after acceptance',
      `${sms}: decisions 18: magic number %d is accepted, then rejected with %s`,
    ],
    [
      'decisions 18 send_at',
      'charges at once and sends when due',
      `${sms}: decisions 18: charges now, sends when due`,
    ],
    [
      'decisions 25 country',
      'switched off after acceptance refuses a message when it is due',
      `${sms}: decisions 25: refuses a message to a country that was switched off meanwhile`,
      'apps/dispatch/test/scheduling: is refused when its country was switched off after acceptance',
    ],
    [
      'decisions 25 prefix',
      'blocked after acceptance refuses a message when it is due',
      'tests/faults/blocked-when-due: rejects a scheduled message of a prefix that was blocked meanwhile, and gives its credits back',
    ],
    [
      'decisions 18 cancel',
      'gives the credits of a scheduled message back',
      `${sms}: decisions 4: cancels a scheduled message and gives its credits back`,
      `${lists}: decisions 16: a cancelled message has no reason in the words of variant B`,
    ],
    [
      'decisions 18 batch',
      'has an outcome for each item and one key for all of it',
      `${sms}: decisions 18: an outcome for each item, in order, and one key for all of it`,
      `${sms}: decisions 25: a cheap item may follow one that cannot be paid`,
    ],
    [
      'decisions 18 envelope',
      'with a fault refuses the whole batch',
      `${lists}: decisions 18: a fault of the envelope refuses the whole batch`,
    ],
    [
      'decisions 19 DND',
      'refuses SMS of both variants and never an OTP',
      `${registrations}: decisions 19: a list refuses SMS of both variants, and never an OTP`,
    ],
    [
      'decisions 19 registry over HTTP',
      'is asked with 300 ms, fails open, and again when a message comes due',
      'tests/api/dnd-registry: refuses SMS of both variants and items of a batch, never an OTP, nor in test mode',
      'tests/api/dnd-registry: that %s stops no send',
      'tests/api/dnd-registry: is asked again when a scheduled message comes due',
    ],
    [
      'decisions 21 payments',
      'are entered once, when provider, reference, amount and currency fit',
      'tests/api/payments: decisions 21: are created by owners, confirmed by an operator, and entered once',
      'apps/billing/test/payments/payments: makes no entry of another %s, and holds it for an operator',
    ],
    [
      'decisions 21 refunded payments',
      'leave a debt that later purchases pay',
      'apps/billing/test/payments/payments: takes a refund back once; what was spent is a debt that later purchases pay',
    ],
    [
      'decisions 21 top-up settings',
      'need a saved authorisation',
      'tests/api/payments: decisions 21: automatic top-up needs a saved authorisation and a cap above its amount',
    ],
    [
      'decisions 25 slug',
      'never has the form of an id',
      `${lists}: decisions 25: no slug has the form of an id`,
    ],
  ]),
];
