import { Module, type Provider } from '@nestjs/common';
import { allowsLoopbackWebhooks, SecuritySettings } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import {
  CLOCK,
  DATABASE,
  KeyedAnswers,
  KeyRing,
  LOGGER,
  PLATFORM,
  type Platform,
} from '@watchword/platform';
import type { Queryable, Transactional } from '@watchword/postgres';
import { ALLOW_LOOPBACK } from './endpoint-url.policy.js';
import { EndpointStore } from './endpoint.store.js';
import { sealedAnswers } from './sealed-answers.js';
import { ReceiverCache } from './receiver.cache.js';
import { SECRET_PURPOSE } from './secret-purpose.js';

const providers: Provider[] = [
  {
    provide: KeyRing,
    useFactory: ({ encryptionKeys }: SecuritySettings) =>
      new KeyRing(encryptionKeys, SECRET_PURPOSE),
    inject: [SecuritySettings],
  },
  {
    provide: ALLOW_LOOPBACK,
    useFactory: ({ config }: Platform) => allowsLoopbackWebhooks(config),
    inject: [PLATFORM],
  },
  EndpointStore,
  {
    provide: KeyedAnswers,
    useFactory: (database: Transactional, clock: Clock, keys: KeyRing) =>
      new KeyedAnswers(database, clock, sealedAnswers(keys)),
    inject: [DATABASE, CLOCK, KeyRing],
  },
  {
    // No call waits for it.
    provide: ReceiverCache,
    useFactory: (database: Queryable, keys: KeyRing, logger: Logger) =>
      new ReceiverCache(new EndpointStore(database, keys), logger),
    inject: [DATABASE, KeyRing, LOGGER],
  },
];

/** Endpoints of workspaces and their copies in memory. */
@Module({ providers, exports: providers })
export class EndpointsModule {}
