import { Module, type Provider } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER, PLATFORM, type Platform } from '@watchword/platform';
import { CARRIERS, type Carriers, configuredProviders } from './configured-providers.js';
import { Router } from './router.js';

const providers: Provider[] = [
  {
    provide: CARRIERS,
    useFactory: ({ config, clock, logger }: Platform) => configuredProviders(config, clock, logger),
    inject: [PLATFORM],
  },
  {
    provide: Router,
    useFactory: (carriers: Carriers, clock: Clock, logger: Logger) =>
      new Router(carriers, clock, logger),
    inject: [CARRIERS, CLOCK, LOGGER],
  },
];

/** Carrier accounts, and which of them a message goes to. */
@Module({ providers, exports: providers })
export class RoutingModule {}
