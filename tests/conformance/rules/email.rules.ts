/** Email: decisions 4, 17, 20, 24, 26. */
import { section } from '../rule.ts';

const emails = 'tests/api/emails';
const live = 'tests/api/email-links';
const registrations = 'tests/api/domains-and-suppressions';

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
    ],
    [
      'decisions 20 batch',
      'has an outcome for each item',
      `${emails}: decisions 18, 20: each item has an outcome of its own`,
      `${emails}: decisions 20, 25: an envelope that is no list of objects refuses the whole`,
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
