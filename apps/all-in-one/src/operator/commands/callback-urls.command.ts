import { callbackUrls, linkHostsSecretOf } from '@watchword/carriers';
import { callbackBaseUrlOf } from '@watchword/config';
import { UserError } from '@watchword/host';
import type { OperatorCommand } from '../operator-command.js';

export const callbackUrlsCommand: OperatorCommand = {
  name: 'callback-urls',
  summary: 'Print the addresses to enter at each carrier. They contain secrets.',
  needs: () => 'secrets',
  async run({ config, say }) {
    const { callbackSecrets, carrierAccounts, trackingHost } = config;
    const [callbackSecret] = callbackSecrets;
    if (callbackSecret === undefined) throw new UserError('CALLBACK_SECRET must be set.');
    const urls = callbackUrls(carrierAccounts, callbackBaseUrlOf(config), callbackSecret);
    for (const { account, title, kind, page, url } of urls) {
      const where = page === null ? 'each message names it; nothing to enter' : `enter at ${page}`;
      say(`${title} (account ${account}), ${kind}: ${where}`);
      say(`  ${url}`);
    }
    if (urls.length === 0) say('No account at a carrier takes callbacks.');
    if (trackingHost !== '') {
      say('Certificates of links.<domain>: a proxy asks here, with ?domain=<host>');
      say(`  ${callbackBaseUrlOf(config)}/link-hosts/${linkHostsSecretOf(callbackSecret)}`);
    }
    if (callbackSecrets.length > 1) {
      say('CALLBACK_SECRET has two secrets. These are the addresses of the first one.');
      say('Addresses of the second secret work until you remove it.');
    }
  },
};
