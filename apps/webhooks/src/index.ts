import { baselineOf, type ServiceDefinition } from '@watchword/platform';
import { sqlFolder } from '@watchword/postgres';
import { SECRET_PURPOSE } from './endpoints/secret-purpose.js';
import { WebhooksModule } from './webhooks.module.js';

export const webhooksService: ServiceDefinition = {
  name: 'webhooks',
  migrations: [baselineOf('webhooks', import.meta.url)],
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
