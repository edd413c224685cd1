/** Variant B of SMS: interface sections 2.8 to 3.3 and decisions 17, 18, 19, 25. */
import { section } from '../rule.ts';

const sms = 'tests/api/messaging';
const registrations = 'tests/api/sms-registrations';
const lists = 'tests/api/messaging-lists';
const list = 'apps/dispatch/test/message-list';
const due = 'apps/dispatch/test/scheduling';
const senders = 'apps/dispatch/test/senders';
const limits = 'apps/gateway/test/limits';
const template = 'libs/telephony/src/sms-template';

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
      'is an event of every accepted send, also of one that is rejected before any attempt',
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
      'decisions 25 slug',
      'never has the form of an id',
      `${lists}: decisions 25: no slug has the form of an id`,
    ],
    [
      'decisions 17 rate',
      'of variant B is 10 a second with a burst of 20, of the workspace',
      `${limits}: admits the burst, then one every tenth of a second`,
      `${limits}: is of the workspace, by mode, and leaves the routes of variant A alone`,
      `${limits}: is not of what belongs to neither variant`,
    ],
    [
      'decisions 17 lists',
      'page by (created_at, id) descending, with filters of their own in each request',
      `${list}: is newest first, in pages that neither repeat nor skip while others come`,
      `${list}: distinguishes messages of the same time`,
      `${list}: is filtered by kind, number, sender, country, mode and time`,
    ],
    [
      'decisions 25 status filter',
      'compares the word that the record shows',
      `${list}: speaks of statuses as the public does, before and after a refund is settled`,
      `${list}: finds a scheduled one as scheduled until the refund of its cancellation is settled`,
    ],
    [
      'decisions 17 query parameters',
      'that a route does not know are 400',
      'apps/gateway/test/edge: names a query parameter that %s does not know',
    ],
    [
      'decisions 18 bodies',
      'without exactly one text, a sender and a destination are refused by field',
      `${sms}: decisions 18: refuses %s`,
    ],
    [
      'decisions 18 cost',
      'is that of acceptance, in the records of both variants',
      'libs/contracts/src/records/sms.record: keeps the cost of its acceptance when the credit price changes',
    ],
    [
      'decisions 18 past and far send_at',
      'are 400 but for 60 seconds',
      'apps/gateway/src/messages/sms/send-at.policy: refuses %j',
      'apps/gateway/src/messages/sms/send-at.policy: takes %s',
    ],
    [
      'decisions 18 due',
      'messages are sent once, on any replica, across restarts and jumps of the clock',
      `${due}: waits, and is sent once when it is due, by one of several processes`,
      `${due}: is due after a restart`,
      `${due}: is sent once, though the clock jumps by an hour, back and forth`,
      `${due}: is checked again when it is due`,
    ],
    [
      'decisions 18 killed batch',
      'has one charge or none for each item',
      'tests/faults/deaths: each item of a batch of 1,000 is charged once, whenever the process was killed',
      'apps/billing/test/batches: of a thousand is one transaction, and one key replays the whole answer',
    ],
    [
      'decisions 18 items',
      'count against their own numbers, and override the envelope',
      `${sms}: counts each item against its own number`,
      'apps/gateway/src/messages/sms/batch-items.policy: takes from the envelope what the item leaves out',
      'apps/gateway/src/messages/sms/batch-items.policy: lets a text of its own beat the shared template',
      'apps/gateway/src/messages/sms/batch-items.policy: refuses a time or a quote of its own, and a sender that neither names',
    ],
    [
      'decisions 19 placeholders',
      'are inserted once and never expanded again; any other {{ is refused',
      `${template}: refuses %s`,
      `${template}: takes 50 names and no more`,
      `${template}: inserts strings, numbers and booleans once, and never expands them again`,
      `${registrations}: decisions 19: refuses %s`,
    ],
    [
      'decisions 19 slugs and versions',
      'are unique, free again after DELETE, raised by each change',
      'apps/dispatch/test/templates: derives a free slug, also of creations at once',
      'apps/dispatch/test/templates: refuses a given slug that is taken, and frees it with the template',
      'apps/dispatch/test/templates: finds by id and slug, within the workspace only, and raises the version',
    ],
    [
      'decisions 19 reviews',
      'decide each country, with one event each; an illegal step is refused',
      `${senders}: are pending in each country until decided, and usable from approval on`,
      `${senders}: announce one event for each country that is approved or rejected`,
      `${senders}: refuse illegal steps and unknown countries without any effect`,
      `${senders}: change while pending only, and keep a country that is decided`,
      `${senders}: exist once by name, letter case ignored, until every review is a rejection`,
    ],
    [
      'decisions 18 enforcement',
      'off, log or enforce; shared senders pass, barred ones never',
      'apps/gateway/src/registrations/sender-registration.policy: %s',
    ],
    [
      'decisions 19 learned numbers',
      'are on the list for 30 days',
      'apps/dispatch/test/do-not-disturb: are learned for 30 days from a carrier that refuses a live SMS',
      `${registrations}: decisions 19: a carrier that refuses a live SMS teaches the number, for SMS alone`,
    ],
    [
      'decisions 19 opt-out',
      'by STOP is of a workspace and sender, and START ends it',
      'apps/dispatch/test/inbound: opts the handset out of the sender that wrote last, and in again',
      'apps/dispatch/test/do-not-disturb: have opted out of a sender of a workspace, and come back',
      'tests/api/opt-outs: refuses the next send from that sender, as STOP does',
      'tests/api/opt-outs: has opted out: the next send asks no carrier',
      'tests/api/opt-outs: can be sent to after START',
      'apps/dispatch/test/do-not-disturb: of this sender have opted out of it, and START brings them back',
      'apps/dispatch/test/do-not-disturb: for all senders have not opted out of this one',
    ],
    [
      'decisions 12 magic numbers of variant B',
      'are refused at once as documented',
      `${sms}: magic number %d is %d %s`,
    ],
    [
      'decisions 2 four routes',
      'are all that a sending key reaches, and /mcp all of an agent key',
      'apps/gateway/test/matrix: refuses and admits every credential at every route as decided',
    ],
  ]),
];
