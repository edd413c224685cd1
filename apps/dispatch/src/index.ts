import type { ServiceDefinition } from '@watchword/platform';
import { DispatchModule } from './dispatch.module.js';
import { Messages1795219200000 } from './migrations/messages.migration.js';

export const dispatchService: ServiceDefinition = {
  name: 'dispatch',
  migrations: [Messages1795219200000],
  module: (platform) => DispatchModule.with(platform),
};
