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
      `${senders}: are barred in every spelling once they are rejected`,
      `${inbound}: with STOP or START means a sender in each of its spellings`,
      'libs/telephony/src/sender-id: folds %s and %s to the same form',
      'libs/telephony/src/sender-id: refuses %j',
    ],
    [
      'decisions 28 reviewed texts',
      'of a sender ID stay once a country has decided',
      `${senders}: keep their reviewed texts once a country is decided`,
    ],
    [
      'decisions 28 trial texts',
      'have no link, host name or protected name, nor has the name that recipients read',
      `${texts}: decisions 28: a trial workspace may not set the text %j`,
      `${texts}: decisions 28: a trial workspace keeps the text that an operator set, and may change others`,
      `${texts}: decisions 28: recipients read the platform’s name instead of %j until the workspace buys credits`,
    ],
    [
      'decisions 28 own texts',
      'pass the anti-spam rules when they are set',
      `${texts}: decisions 28: a workspace that bought credits may set a link, and nothing that anti-spam blocks`,
      `${texts}: decisions 28: a workspace may not take a name that makes its text spam`,
    ],
    [
      'decisions 28 STOP and START',
      'close a sender in the workspace that wrote last, and open it in every one',
      `${inbound}: closes a sender in the workspace that sent last from it, and opens it in every workspace`,
      `${inbound}: with START to a number opens each sender that the account of the number carried`,
      'libs/telephony/src/opt-out-keyword: %j opts out',
      'libs/telephony/src/opt-out-keyword: %j opts in',
    ],
    [
      'decisions 28 counts',
      '500 templates and 100 sender IDs a workspace',
      `${senders}: are limited to 100 in a workspace, also when requests come at once`,
      'apps/dispatch/test/templates: are limited to 500 in a workspace, also when creations come at once',
    ],
  ]),
];
