import { baselineOf, type ServiceDefinition } from '@watchword/platform';
import { sqlFolder } from '@watchword/postgres';
import { AUTHORISATION_PURPOSE } from './payments/authorisations.js';
import { BillingModule } from './billing.module.js';

export const billingService: ServiceDefinition = {
  name: 'billing',
  migrations: [baselineOf('billing', import.meta.url)],
  functions: sqlFolder(import.meta.url),
  sealed: [
    {
      table: 'payment_authorisations',
      key: { workspace_id: 'uuid' },
      column: 'authorisation',
      type: 'bytea',
      purpose: AUTHORISATION_PURPOSE,
    },
  ],
  module: (platform) => BillingModule.with(platform),
};
