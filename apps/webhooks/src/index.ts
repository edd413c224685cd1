import type { ServiceDefinition } from '@watchword/platform';
import { sqlFolder } from '@watchword/postgres';
import { SECRET_PURPOSE } from './endpoints/secret-purpose.js';
import { FailingEndpoints1795467600000 } from './migrations/failing-endpoints.migration.js';
import { FormerWebhookFunctions1796600000000 } from './migrations/former-functions.migration.js';
import {
  BoundDeliveries1796000000000,
  CheckedDeliveries1796000001000,
  PartitionedDeliveries1796000002000,
} from './migrations/partitioned-deliveries.migration.js';
import { SilenceableOutbox1795710000000 } from './migrations/silenceable-outbox.migration.js';
import { Silences1796520000000 } from './migrations/silences.migration.js';
import { TrialEndpoints1797000000000 } from './migrations/trial-endpoints.migration.js';
import { VariantB1795478400000 } from './migrations/variant-b.migration.js';
import { Webhooks1795218000000 } from './migrations/webhooks.migration.js';
import { WebhooksModule } from './webhooks.module.js';

export const webhooksService: ServiceDefinition = {
  name: 'webhooks',
  migrations: [
    Webhooks1795218000000,
    FailingEndpoints1795467600000,
    VariantB1795478400000,
    SilenceableOutbox1795710000000,
    BoundDeliveries1796000000000,
    CheckedDeliveries1796000001000,
    PartitionedDeliveries1796000002000,
    Silences1796520000000,
    FormerWebhookFunctions1796600000000,
    TrialEndpoints1797000000000,
  ],
  oldestProgram: Silences1796520000000,
  functions: sqlFolder(import.meta.url),
  sealed: [
    ...['secret', 'previous_secret'].map((column) => ({
      table: 'endpoints',
      key: { id: 'uuid' },
      column,
      type: 'bytea' as const,
      purpose: SECRET_PURPOSE,
    })),
    {
      table: 'idempotency_keys',
      key: { workspace_id: 'uuid', scope: 'text', key: 'text' },
      column: 'answer',
      type: 'bytea',
      purpose: SECRET_PURPOSE,
    },
  ],
  module: (platform) => WebhooksModule.with(platform),
};
