import type { ServiceDefinition } from '@watchword/platform';
import { sqlFolder } from '@watchword/postgres';
import { AUTHORISATION_PURPOSE } from './payments/authorisations.js';
import { BillingModule } from './billing.module.js';
import { AcceptSends1795460400000 } from './migrations/accept-sends.migration.js';
import { BatchesAndBudgets1795481000000 } from './migrations/batches-and-budgets.migration.js';
import { FormerAcceptance1796600000000 } from './migrations/former-acceptance.migration.js';
import { Grants1795464000000 } from './migrations/grants.migration.js';
import { HeldTopUps1796510000000 } from './migrations/held-top-ups.migration.js';
import { Ledger1795217700000 } from './migrations/ledger.migration.js';
import { LowBalance1795399200000 } from './migrations/low-balance.migration.js';
import { QuoteKeys1795456800000 } from './migrations/quote-keys.migration.js';
import { Payments1795712000000 } from './migrations/payments.migration.js';
import { Quotes1795392000000 } from './migrations/quotes.migration.js';
import { SavedCards1797000000000 } from './migrations/saved-cards.migration.js';
import { SilenceableOutbox1795710000000 } from './migrations/silenceable-outbox.migration.js';

export const billingService: ServiceDefinition = {
  name: 'billing',
  migrations: [
    Ledger1795217700000,
    Quotes1795392000000,
    LowBalance1795399200000,
    QuoteKeys1795456800000,
    AcceptSends1795460400000,
    Grants1795464000000,
    BatchesAndBudgets1795481000000,
    SilenceableOutbox1795710000000,
    Payments1795712000000,
    HeldTopUps1796510000000,
    FormerAcceptance1796600000000,
    SavedCards1797000000000,
  ],
  oldestProgram: HeldTopUps1796510000000,
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
