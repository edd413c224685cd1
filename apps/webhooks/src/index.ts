import { baselineOf, type ServiceDefinition } from '@watchword/platform';
import { type PartitionedTables, sqlFolder } from '@watchword/postgres';
import { SECRET_PURPOSE } from './endpoints/secret-purpose.js';
import { WebhooksModule } from './webhooks.module.js';

const partitions: PartitionedTables = {
  schema: 'webhooks',
  main: { name: 'deliveries', key: 'id', fillfactor: 100 },
  details: { name: 'delivery_attempts', key: 'delivery_id', fillfactor: 100 },
  period: 'week',
  // A delivery is under way. What waits for a test event goes with its week.
  isInUse: `EXISTS (SELECT FROM webhooks.%1$I WHERE due_at < 'infinity')`,
};

export const webhooksService: ServiceDefinition = {
  name: 'webhooks',
  migrations: [baselineOf('webhooks', import.meta.url, partitions)],
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
