import { createEmailProviders } from '@watchword/carriers';
import { EmailComposer } from '@watchword/email';
import type { Platform } from '@watchword/platform';
import type { EmailParts } from './emails.js';

/** What the settings of this process give to emails. Without a domain that may send, none is sent. */
export async function configuredEmail({ config, clock }: Platform): Promise<EmailParts> {
  const callbackBaseUrl = config.callbackBaseUrl || `http://${config.host}:${config.port}`;
  const providers = await createEmailProviders(config.carrierAccounts, {
    clock,
    callbackBaseUrl: callbackBaseUrl.replace(/\/+$/, ''),
    callbackSecret: config.callbackSecret,
  });
  return {
    providers,
    composer: new EmailComposer(),
    domains: { signing: async () => [] },
    suppressions: {
      add: async () => undefined,
      suppressed: async (questions) => questions.map(() => false),
    },
  };
}
