import type { ServiceDefinition } from '@watchword/platform';
import { Webhooks1795218000000 } from './migrations/webhooks.migration.js';
import { WebhooksModule } from './webhooks.module.js';

export const webhooksService: ServiceDefinition = {
  name: 'webhooks',
  migrations: [Webhooks1795218000000],
  module: (platform) => WebhooksModule.with(platform),
};
