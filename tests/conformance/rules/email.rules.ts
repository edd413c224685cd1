/** Email up to its acceptance, and its resources: decisions 2, 4, 7, 17, 18, 20, 24, 26. */
import { section } from '../rule.ts';

const emails = 'tests/api/emails';
const live = 'tests/api/email-links';
const registrations = 'tests/api/domains-and-suppressions';
const testMode = 'tests/api/email-test-mode';
const hostile = 'libs/email/test/hostile-headers';
const charges = 'apps/billing/test/emails';
const suppressions = 'apps/dispatch/test/email-suppressions';

export const emailRules = [
  section('Decisions 20 and 26: email', [
    [
      'decisions 20 send',
      'answers 202 with id and status; GET shows the record',
      `${emails}: decisions 4, 20: answers 202 with id and status, and shows the whole record`,
    ],
    [
      'decisions 20 inputs',
      'are refused with their field',
      `${emails}: decisions 20, 26: refuses a wrong %s`,
    ],
    [
      'decisions 20 recipients',
      'are at most 50 distinct addresses',
      `${emails}: decisions 20: takes 50 distinct recipients, and names where the 51st stands`,
    ],
    [
      'decisions 26 sizes',
      'are 10 MiB of request (413) and of finished message (400)',
      `${emails}: decisions 24, 26: a request over 10 MiB is 413, a finished message over it 400`,
      'apps/gateway/src/messages/email/email-size: the size of an email',
    ],
    [
      'decisions 20 limits of lists',
      'are 10 tags, 20 headers, and 30 days for send_at',
      `${testMode}: decisions 20: an email has`,
    ],
    [
      'decisions 26 reserved headers',
      'are refused, in any letter case, and so is each that hides another',
      `${emails}: decisions 20, 26: refuses a wrong %s`,
      `${hostile}: named %j is refused`,
      `${hostile}: with the value %j is refused`,
      `${hostile}: value %j stays one header`,
    ],
    [
      'decisions 20 From',
      'is exactly one mailbox, of a verified domain',
      `${emails}: decisions 20, 26: refuses a wrong %s`,
      `${emails}: decisions 20: a live send needs a verified domain`,
      'libs/email/src/address: a text that is not one address, or would be more',
    ],
    [
      'decisions 20 attachments',
      'are at most 20, in padded base64, with a type that has a slash',
      `${emails}: decisions 20, 26: refuses a wrong %s`,
      `${hostile}: a hostile attachment`,
    ],
    [
      'decisions 26 file names',
      'keep the last segment of their path',
      `${emails}: decisions 4, 20: answers 202 with id and status, and shows the whole record`,
    ],
    [
      'decisions 20 text',
      'is derived from html where it is not given',
      'libs/email/test/composer: derives the text of HTML, whether it is short or long',
      `${emails}: decisions 4, 20: answers 202 with id and status, and shows the whole record`,
    ],
    [
      'decisions 20 charge',
      'is one credit for each recipient, in one charge; the plan pays first, then the wallet',
      `${charges}: takes one credit a recipient, in one charge, and gives all of it back`,
      `${charges}: draws on the emails of the plan first, and not on its segments`,
      `${live}: decisions 5, 20: the plan pays first, then the wallet, then 402 quota_exceeded`,
    ],
    [
      'decisions 7 key of an email',
      'gives the same email again',
      `${emails}: decisions 7: a retry with the same key gives the same email`,
    ],
    [
      'decisions 20 batch',
      'has an outcome for each item',
      `${emails}: decisions 18, 20: each item has an outcome of its own`,
      `${emails}: decisions 20, 25: an envelope that is no list of objects refuses the whole`,
    ],
    [
      'decisions 18 key of a batch of emails',
      'replays the whole answer',
      `${emails}: decisions 18: one key replays the whole answer`,
    ],
    [
      'decisions 20 lists of emails',
      'leave out html and text, and filter; their moments are exclusive',
      `${emails}: decisions 20: lists leave out the texts and filter`,
      `${testMode}: decisions 20: the list of emails`,
      `${testMode}: decisions 26: filters by exclusive moments`,
    ],
    [
      'decisions 24 modes of email',
      'are walls: an email of the other mode is 404',
      `${emails}: decisions 24: another mode and an unknown id are 404`,
    ],
    [
      'decisions 2 sending key of emails',
      'sends and does not read',
      `${emails}: decisions 2: a sending key sends emails and reads none`,
    ],
    [
      'decisions 20 failed hops',
      'name the reason and the refund',
      `${emails}: a failed hop names its reason and whether the email was refunded`,
    ],
    [
      'decisions 20 cancel',
      'is possible before the first hand-over',
      `${emails}: decisions 4, 20: a scheduled email is cancelled, one that left is not`,
      `${emails}: decisions 7, 17: a repeated cancellation with its key answers the same record`,
    ],
    [
      'decisions 18 quote of an email',
      'counts its recipients',
      `${emails}: decisions 15, 18: a quote of an email counts its recipients`,
      `${charges}: is quoted by what the plan leaves of its emails`,
    ],
    [
      'decisions 20 domains',
      'are created, verified by DNS and deleted',
      `${registrations}: decisions 20: creates, lists, shows, verifies and deletes a domain`,
    ],
    [
      'decisions 20 suppressions',
      'are created once, listed and deleted',
      `${registrations}: decisions 20: creates, lists and deletes a suppression`,
      `${registrations}: decisions 20: is listed page by page`,
      `${suppressions}: stay single while many enter the same addresses at once`,
    ],
    [
      'decisions 20 suppressed recipient',
      'refuses the email with its place',
      `${emails}: decisions 20: an address of the suppression list is refused with its field`,
      `${live}: to a suppressed address is refused`,
    ],
    [
      'decisions 20 suppression of a complaint',
      'is deleted by operators only; they delete every other too',
      'tests/api/mailbox: decisions 20: leaves a suppression after a complaint, which only operators delete',
      `${suppressions}: are deleted in every scope, a complaint by operators only`,
      `${suppressions}: keep a complaint over every other origin`,
      `${registrations}: operators delete one of a workspace`,
    ],
    [
      'decisions 26 sim.test',
      'is closed to live keys',
      `${live}: to the domain of the simulator is refused`,
    ],
    [
      'decisions 20 links',
      'count, and lead nowhere else',
      `${live}: count an open and a click of a person, and lead where the email said`,
      `${live}: with a changed token, or of another host, lead nowhere`,
    ],
    [
      'decisions 20 unsubscribe',
      'needs a POST and concerns marketing only',
      `${live}: unsubscribe by POST alone, from marketing email alone`,
      `${live}: announce an unsubscribe once, however often the link is used`,
    ],
    [
      'decisions 25 test mode of email',
      'consults no suppression list',
      'tests/api/email-test-mode: so an address of the shared suppression list takes it, and no live one',
    ],
  ]),
];
