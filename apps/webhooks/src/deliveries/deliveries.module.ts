import { Module, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Clock, EndpointId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { ALLOW_LOOPBACK } from '../endpoints/endpoint-url.policy.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { ReceiverCache } from '../endpoints/receiver.cache.js';
import { ClosingStore } from './closing.store.js';
import { DeliveryListStore } from './delivery-list.store.js';
import { DeliveryScheduler } from './delivery.scheduler.js';
import { DeliveryStore } from './delivery.store.js';
import { DISABLED, type Disabled } from './disabled.js';
import { EndpointCloser } from './endpoint-closer.js';
import { PendingDeliveriesHandler } from './pending-deliveries.handler.js';
import { WebhookHttpClient } from './http-client.adapter.js';
import { EventRecoveryJob } from './recovery.job.js';
import { RecoveryProgressStore } from './recovery.store.js';
import { ATTEMPT_DEADLINE_MS } from './retry-schedule.policy.js';

const providers: Provider[] = [
  {
    provide: WebhookHttpClient,
    useFactory: (allowLoopback: boolean) =>
      new WebhookHttpClient({ allowLoopback, deadlineMs: ATTEMPT_DEADLINE_MS }),
    inject: [ALLOW_LOOPBACK],
  },
  ClosingStore,
  EndpointCloser,
  DeliveryStore,
  DeliveryListStore,
  {
    provide: DeliveryScheduler,
    useFactory: (
      store: DeliveryStore,
      receivers: ReceiverCache,
      client: WebhookHttpClient,
      clock: Clock,
      logger: Logger,
      modules: ModuleRef,
    ) => {
      // Both need the scheduler themselves, so it is made first.
      const disabled = () => modules.get<Disabled>(DISABLED, { strict: false }).wake();
      const passedTest = (ids: readonly EndpointId[]) =>
        modules.get(PendingDeliveriesHandler, { strict: false }).release(ids, { endsTrial: false });
      const effects = { passedTest, disabled };
      return new DeliveryScheduler(store, receivers, client, effects, clock, logger);
    },
    inject: [DeliveryStore, ReceiverCache, WebhookHttpClient, CLOCK, LOGGER, ModuleRef],
  },
  PendingDeliveriesHandler,
  RecoveryProgressStore,
  EventRecoveryJob,
];

/** Deliveries: the order of attempts, and their effects. */
@Module({ imports: [EndpointsModule], providers, exports: providers })
export class DeliveriesModule {}
