/** The facts of the field (`domain/sms.md`): ported numbers, senders by country, quiet hours. */
import { section } from '../rule.ts';

const ported = 'tests/api/ported-numbers';
const networks = 'apps/dispatch/test/number-networks';
const rules = 'tests/api/sender-rules';
const scheduled = 'apps/dispatch/test/sender-rules';
const problems = 'apps/dispatch/src/registrations/senders/sender-rules.policy';
const hours = 'apps/dispatch/src/registrations/senders/quiet-hours.policy';
const allow = 'tests/api/anti-spam-allow';

export const domainRules = [
  section('Domain 5.2: networks of ported numbers', [
    [
      'domain 5.2 learned',
      'from delivery reports, for 90 days, and then priced and routed by',
      `${ported}: is in the network of its prefix, until a report names another one`,
      `${ported}: has its network from the report of a one-time password, too`,
      `${ported}: is priced and named by it in every kind of send, and charged so`,
      `${networks}: is kept by the report of %s, and told to sends`,
      `${networks}: is told to all sends for 90 days, then purged`,
      'tests/providers/carrier-sim: of a ported number is named by %s',
    ],
    [
      'domain 5.2 ended',
      'by a later report that agrees with the prefix',
      `${ported}: is in the network of its prefix again, once a report agrees with it`,
      `${networks}: ends when a later report agrees with the prefix`,
      `${networks}: is not changed nor ended by an older report`,
    ],
    [
      'domain 5.2 never re-priced',
      'a sent message keeps its network and its price',
      `${networks}: leaves the message as it was sent and priced`,
    ],
  ]),
  section('Domain 6.1 and 6.3: senders and quiet hours', [
    [
      'domain 6.1 alpha',
      'is allowed, registered, replaced or forbidden in each country, and numeric allowed or not',
      `${problems}: %s`,
      `${rules}: refuse a sender ID where %s, in every way to send`,
      `${rules}: take a registered sender ID once it is approved there, and a shared one at once`,
      `${scheduled}: %s %j: %s`,
    ],
    [
      'domain 6.1 replaced',
      'sender IDs are remarked on, and the number of the route is handed over',
      `${rules}: only remark on a sender ID that handsets replace, and on none without a rule`,
      `${scheduled}: %s, %s, number %s: hands over %s`,
    ],
    [
      'domain 6.1 reserved',
      'words are refused as a sender ID, however they are written',
      `${problems}: %s`,
      `${rules}: refuse a sender ID where %s, in every way to send`,
    ],
    [
      'domain 6.1 minimum',
      'a shorter sender ID is refused',
      `${problems}: %s`,
      `${rules}: refuse a sender ID where %s, in every way to send`,
    ],
    [
      'domain 6.1 quiet hours: refuse',
      'promotional messages are refused, and no others',
      `${rules}: hold for promotional messages of workspaces that want it: refuse`,
      `${scheduled}: is sent where it is transactional`,
    ],
    [
      'domain 6.1 quiet hours: delay',
      'promotional messages wait for their end',
      `${rules}: hold for promotional messages of workspaces that want it: delay`,
      `${scheduled}: waits for their end with "%s"`,
      `${hours}: takes a window on its own days, over midnight too`,
    ],
    [
      'domain 6.1 quiet hours: off',
      'is the default',
      `${rules}: hold for nobody by default; the record names the category of a promotional message`,
      `${scheduled}: is sent where the setting is %s`,
    ],
    [
      'domain 6.3 warning',
      'of a name outside GSM-7, which makes codes UCS-2',
      'apps/gateway/src/accounts/workspaces/workspace-warnings.policy: warns of a name outside of GSM-7, with the segments that a code then takes',
      'apps/gateway/src/accounts/workspaces/workspace-warnings.policy: does not warn where no text has the name, or the text alone is UCS-2',
      'tests/api/otp-text: domain 6.3: the dashboard warns of a name that makes codes UCS-2, while it does',
    ],
  ]),
  section('Domain 9.4: what anti-spam does not judge', [
    [
      'domain 9.4 allow-list',
      'of sender IDs, templates and domains of a workspace, which only operators change',
      `${allow}: passes without a verdict where its sender ID is listed, in any case`,
      `${allow}: passes where it was made from a listed template`,
      `${allow}: passes where every link leads to a listed domain`,
      `${allow}: passes in a quote as in a send`,
      'apps/dispatch/test/scheduling: lists %s',
      'libs/telephony/src/text-links: %s',
    ],
  ]),
];
