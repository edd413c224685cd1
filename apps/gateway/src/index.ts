import type { ServiceDefinition } from '@watchword/platform';
import { configureHttp } from './edge/server/configure-http.js';
import { createHttpAdapter } from './edge/server/http-adapter.js';
import { GatewayModule } from './gateway.module.js';
import { GatewayBaseline1797200000000 } from './migrations/gateway-baseline.migration.js';

export { demoSeed, type DemoWorkspace } from './first-run/demo-seed.js';

/** The only public HTTP edge. */
export const gatewayService: ServiceDefinition = {
  name: 'gateway',
  migrations: [GatewayBaseline1797200000000],
  edge: { createAdapter: createHttpAdapter, configure: configureHttp },
  module: (platform) => GatewayModule.with(platform),
};
