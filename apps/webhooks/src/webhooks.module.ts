import {
  type DynamicModule,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { SecuritySettings } from '@watchword/config';
import { GroundModule, type Platform, ServiceTransport } from '@watchword/platform';
import { CallsModule } from './calls.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { DeliveryScheduler } from './deliveries/delivery.scheduler.js';
import { WebhookHttpClient } from './deliveries/http-client.adapter.js';
import { RecoveryJob } from './deliveries/recovery.job.js';
import { DueWorkJob } from './events/due-work.job.js';
import { DisabledEndpointsJob } from './events/disabled-endpoints.job.js';
import { EventsModule } from './events/events.module.js';
import { RetentionJob } from './events/retention.job.js';

/** Starts and stops the jobs of webhooks. */
@Module({ imports: [CallsModule, DeliveriesModule, EventsModule] })
export class WebhooksModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly transport: ServiceTransport,
    private readonly client: WebhookHttpClient,
    private readonly scheduler: DeliveryScheduler,
    private readonly disabled: DisabledEndpointsJob,
    private readonly recovery: RecoveryJob,
    private readonly retention: RetentionJob,
    private readonly dueWork: DueWorkJob,
  ) {}

  static with(platform: Platform): DynamicModule {
    return { module: WebhooksModule, imports: [GroundModule.with(platform, [SecuritySettings])] };
  }

  onModuleInit(): void {
    const { scheduler, disabled, recovery, retention, dueWork } = this;
    for (const job of [scheduler, disabled, recovery, retention, dueWork]) job.start();
  }

  /** Stops new events and claims, then gives running attempts a few seconds. */
  async onApplicationShutdown(): Promise<void> {
    await this.transport.ended();
    await this.dueWork.stop();
    await Promise.all([this.disabled.stop(), this.recovery.stop(), this.retention.stop()]);
    await Promise.all([this.scheduler.stop(), this.client.close()]);
  }
}
