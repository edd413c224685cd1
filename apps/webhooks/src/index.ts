import type { ServiceDefinition } from '@watchword/platform';
import { FailingEndpoints1795467600000 } from './migrations/failing-endpoints.migration.js';
import { Webhooks1795218000000 } from './migrations/webhooks.migration.js';
import { WebhooksModule } from './webhooks.module.js';

export const webhooksService: ServiceDefinition = {
  name: 'webhooks',
  migrations: [Webhooks1795218000000, FailingEndpoints1795467600000],
  module: (platform) => WebhooksModule.with(platform),
};
