import { createEmailProviders } from '@watchword/carriers';
import { callbackBaseUrlOf } from '@watchword/config';
import { EmailComposer } from '@watchword/email';
import { KeyRing, type Platform } from '@watchword/platform';
import { DKIM_PURPOSE, EmailDomainStore } from '../registrations/domains/email-domain.store.js';
import { EmailSuppressionStore } from '../registrations/suppressions/email-suppression.store.js';
import type { EmailParts } from './email-parts.port.js';

/** Returns the parts that the settings of this process define. */
export async function configuredEmail({ config, clock, database }: Platform): Promise<EmailParts> {
  const { pool } = database;
  const providers = await createEmailProviders(config.carrierAccounts, {
    clock,
    callbackBaseUrl: callbackBaseUrlOf(config),
    callbackSecret: config.callbackSecrets[0] ?? '',
  });
  return {
    providers,
    composer: new EmailComposer(),
    domains: new EmailDomainStore(pool, new KeyRing(config.encryptionKeys, DKIM_PURPOSE)),
    suppressions: new EmailSuppressionStore(pool),
  };
}
