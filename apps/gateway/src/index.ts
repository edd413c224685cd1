import { baselineOf, type ServiceDefinition } from '@watchword/platform';
import { configureHttp } from './edge/server/configure-http.js';
import { createHttpAdapter } from './edge/server/http-adapter.js';
import { GatewayModule } from './gateway.module.js';

export { demoSeed, type DemoWorkspace } from './first-run/demo-seed.js';

/** The only public HTTP edge. */
export const gatewayService: ServiceDefinition = {
  name: 'gateway',
  migrations: [baselineOf('gateway', import.meta.url)],
  edge: { createAdapter: createHttpAdapter, configure: configureHttp },
  module: (platform) => GatewayModule.with(platform),
};
