import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { allowsLoopbackWebhooks, SecuritySettings } from '@watchword/config';
import type { Clock, EndpointId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import {
  BusModule,
  CLOCK,
  DATABASE,
  DatabaseModule,
  KeyedAnswers,
  KeyRing,
  LOGGER,
  PLATFORM,
  type Platform,
  ServiceTransport,
  SettingsModule,
} from '@watchword/platform';
import type { Transactional } from '@watchword/postgres';
import { ClosingStore } from './deliveries/closing.store.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { DeliveryListStore } from './deliveries/delivery-list.store.js';
import { DeliveryScheduler } from './deliveries/delivery.scheduler.js';
import { DeliveryStore } from './deliveries/delivery.store.js';
import { EndpointCloser } from './deliveries/endpoint-closer.js';
import { WebhookHttpClient } from './deliveries/http-client.adapter.js';
import { PendingDeliveriesHandler } from './deliveries/pending-deliveries.handler.js';
import { RecoveryController } from './deliveries/recovery.controller.js';
import { EventRecoveryJob } from './deliveries/recovery.job.js';
import { RecoveryProgressStore } from './deliveries/recovery.store.js';
import { ATTEMPT_DEADLINE_MS } from './deliveries/retry-schedule.policy.js';
import { ALLOW_LOOPBACK } from './endpoints/endpoint-url.policy.js';
import { CLOSING, EndpointHandler, HELD } from './endpoints/endpoint.handler.js';
import { EndpointStore } from './endpoints/endpoint.store.js';
import { ReceiverCache } from './endpoints/receiver.cache.js';
import { sealedAnswers } from './endpoints/sealed-answers.js';
import { SECRET_PURPOSE } from './endpoints/secret-purpose.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { WorkspaceWebhookController } from './endpoints/workspace-webhook.controller.js';
import { DisabledEndpointsJob } from './events/disabled-endpoints.job.js';
import { EndTrialsHandler } from './events/end-trials.handler.js';
import { EraseEventsHandler } from './events/erase-events.handler.js';
import { EventErasureRpc } from './events/event-erasure.rpc.js';
import { EventErasureStore } from './events/event-erasure.store.js';
import { EventListStore } from './events/event-list.store.js';
import { EventsController } from './events/events.controller.js';
import { FanOutConsumer } from './events/fan-out.consumer.js';
import { FanOutHandler } from './events/fan-out.handler.js';
import { FanOutStore } from './events/fan-out.store.js';
import { FirstTestStore } from './events/first-test.store.js';
import { NoticeStore } from './events/notice.store.js';
import { EventRetentionJob } from './events/retention.job.js';
import { EventRetentionStore } from './events/retention.store.js';
import { TestEventController } from './events/test-event.controller.js';
import { WebhooksJobs } from './jobs.js';

/** Endpoints of workspaces, their events, and the deliveries of events to endpoints. */
@Module({
  controllers: [
    DeliveriesController,
    EventErasureRpc,
    EventsController,
    FanOutConsumer,
    RecoveryController,
    TestEventController,
    WebhooksController,
    WorkspaceWebhookController,
  ],
  providers: [
    {
      provide: KeyRing,
      useFactory: ({ encryptionKeys }: SecuritySettings) =>
        new KeyRing(encryptionKeys, SECRET_PURPOSE),
      inject: [SecuritySettings],
    },
    {
      provide: KeyedAnswers,
      useFactory: (database: Transactional, clock: Clock, keys: KeyRing) =>
        new KeyedAnswers(database, clock, sealedAnswers(keys)),
      inject: [DATABASE, CLOCK, KeyRing],
    },
    {
      provide: ALLOW_LOOPBACK,
      useFactory: ({ config }: Platform) => allowsLoopbackWebhooks(config),
      inject: [PLATFORM],
    },
    { provide: CLOSING, useExisting: EndpointCloser },
    { provide: HELD, useExisting: PendingDeliveriesHandler },
    EndpointHandler,
    EndpointStore,
    ReceiverCache,

    {
      provide: WebhookHttpClient,
      useFactory: (allowLoopback: boolean) =>
        new WebhookHttpClient({ allowLoopback, deadlineMs: ATTEMPT_DEADLINE_MS }),
      inject: [ALLOW_LOOPBACK],
    },
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
        const disabled = () => modules.get(DisabledEndpointsJob).wake();
        const passedTest = (ids: readonly EndpointId[]) =>
          modules.get(PendingDeliveriesHandler).release(ids, { endsTrial: false });
        const effects = { passedTest, disabled };
        return new DeliveryScheduler(store, receivers, client, effects, clock, logger);
      },
      inject: [DeliveryStore, ReceiverCache, WebhookHttpClient, CLOCK, LOGGER, ModuleRef],
    },
    ClosingStore,
    DeliveryListStore,
    DeliveryStore,
    EndpointCloser,
    EventRecoveryJob,
    PendingDeliveriesHandler,
    RecoveryProgressStore,

    DisabledEndpointsJob,
    EndTrialsHandler,
    EraseEventsHandler,
    EventErasureStore,
    EventListStore,
    EventRetentionJob,
    EventRetentionStore,
    FanOutHandler,
    FanOutStore,
    FirstTestStore,
    NoticeStore,

    WebhooksJobs,
  ],
})
export class WebhooksModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly transport: ServiceTransport,
    private readonly client: WebhookHttpClient,
    private readonly scheduler: DeliveryScheduler,
    private readonly jobs: WebhooksJobs,
    @Inject(PLATFORM) private readonly platform: Pick<Platform, 'graceMs'>,
  ) {}

  static with(platform: Platform): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [
        SettingsModule.with(platform, [SecuritySettings]),
        DatabaseModule.with(platform),
        BusModule.with(platform),
      ],
    };
  }

  onModuleInit(): void {
    this.scheduler.start();
    this.jobs.start();
  }

  /** Stops new events and claims, then gives running attempts a few seconds. */
  async onApplicationShutdown(): Promise<void> {
    await this.transport.ended();
    await this.jobs.stop();
    await Promise.all([this.scheduler.stop(), this.client.close(this.platform.graceMs())]);
  }
}
