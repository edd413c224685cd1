import {
  type DynamicModule,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { SecuritySettings } from '@watchword/config';
import { EnvironmentModule, type Platform, ServiceTransport } from '@watchword/platform';
import { WebhooksCallsModule } from './calls.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { DeliveryScheduler } from './deliveries/delivery.scheduler.js';
import { WebhookHttpClient } from './deliveries/http-client.adapter.js';
import { EventsModule } from './events/events.module.js';
import { WebhooksJobs } from './jobs.js';

/** Starts and stops the jobs of webhooks. */
@Module({
  imports: [WebhooksCallsModule, DeliveriesModule, EventsModule],
  providers: [WebhooksJobs],
})
export class WebhooksModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly transport: ServiceTransport,
    private readonly client: WebhookHttpClient,
    private readonly scheduler: DeliveryScheduler,
    private readonly jobs: WebhooksJobs,
  ) {}

  static with(platform: Platform): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [EnvironmentModule.with(platform, [SecuritySettings])],
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
    await Promise.all([this.scheduler.stop(), this.client.close()]);
  }
}
