import { callbackUrls, linkHostsSecretOf } from '@watchword/carriers';
import { callbackBaseUrlOf, HttpSettings } from '@watchword/config';
import { readCredentials, UserError } from '@watchword/host';
import type { OperatorCommand, OperatorContext } from '../operator-command.js';

export const callbackUrlsCommand: OperatorCommand = {
  name: 'callback-urls',
  summary: 'Print the addresses to enter at each carrier. They contain secrets.',
  needs: 'secrets',
  // The gateway alone reads the credentials of callbacks, which no address has.
  services: ['dispatch'],
  async run({ config, directory, say }) {
    const { callbackSecrets, carrierAccounts, trackingHost } = config;
    const [callbackSecret] = callbackSecrets;
    if (callbackSecret === undefined) throw new UserError('CALLBACK_SECRET must be set.');
    const baseUrl = await baseUrlOf(config, directory);
    const urls = callbackUrls(carrierAccounts, baseUrl, callbackSecret);
    for (const { account, title, kind, page, url } of urls) {
      const where = page === null ? 'each message names it; nothing to enter' : `enter at ${page}`;
      say(`${title} (account ${account}), ${kind}: ${where}`);
      say(`  ${url}`);
    }
    if (urls.length === 0) say('No account at a carrier takes callbacks.');
    if (trackingHost !== '') {
      say('Certificates of links.<domain>: a proxy asks here, with ?domain=<host>');
      say(`  ${baseUrl}/link-hosts/${linkHostsSecretOf(callbackSecret)}`);
    }
    if (callbackSecrets.length > 1) {
      say('CALLBACK_SECRET has two secrets. These are the addresses of the first one.');
      say('Addresses of the second secret work until you remove it.');
    }
  },
};

/**
 * Returns the address of the gateway. `npm start` may have had a PORT that this shell lacks: the
 * embedded installation keeps the address of its last start.
 */
async function baseUrlOf(
  config: OperatorContext['config'],
  directory: OperatorContext['directory'],
): Promise<string> {
  const unset = new HttpSettings();
  const isSet = config.host !== unset.host || ![0, unset.port].includes(config.port);
  if (directory === null || config.callbackBaseUrl !== '' || isSet)
    return callbackBaseUrlOf(config);
  const credentials = await readCredentials(directory);
  return credentials?.base_url ?? callbackBaseUrlOf(config);
}
