/** Decisions 28, as far as sender IDs and the words of a workspace are concerned. */
import { section } from '../rule.ts';

const senders = 'apps/dispatch/test/senders';
const inbound = 'apps/dispatch/test/inbound';
const texts = 'tests/api/recipient-texts';

export const senderTrustRules = [
  section('Decisions 28: sender IDs and what recipients read', [
    [
      'decisions 28 folded sender IDs',
      'decide every comparison',
      `${senders}: are compared in their folded form: no other spelling escapes a rejection`,
      `${inbound}: closes and opens a sender in each of its spellings`,
      'libs/telephony/src/sender-id: takes %s for %s',
      'libs/telephony/src/sender-id: refuses %j',
    ],
    [
      'decisions 28 story',
      'of a sender ID stays once a country has decided',
      `${senders}: keep the story that a country has decided about`,
    ],
    [
      'decisions 28 trial texts',
      'have no link, host name or protected name, nor has the name that recipients read',
      `${texts}: decisions 28: may not set the text %j`,
      `${texts}: decisions 28: keeps what an operator set, which hinders no other change`,
      `${texts}: decisions 28: called %j is the platform to recipients, until it buys credits`,
    ],
    [
      'decisions 28 own texts',
      'pass the anti-spam rules when they are set',
      `${texts}: decisions 28: may set a link, and nothing that anti-spam blocks`,
      `${texts}: decisions 28: may not make such a text by its name`,
    ],
    [
      'decisions 28 STOP and START',
      'close a sender in the workspace that wrote last, and open it in every one',
      `${inbound}: closes a sender in the workspace that wrote last from it, and opens it in every one`,
      `${inbound}: to a number opens each sender that its account carried`,
      'libs/telephony/src/opt-out-keyword: %j opts out',
      'libs/telephony/src/opt-out-keyword: %j opts in',
    ],
    [
      'decisions 28 counts',
      '500 templates and 100 sender IDs a workspace',
      `${senders}: are 100 in a workspace, also of requests at once`,
      'apps/dispatch/test/templates: creates at most 500 in a workspace, also at once',
    ],
  ]),
];
