import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { allowsLoopbackWebhooks } from '@watchword/config';
import { webhooksCalls } from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import { WebhookHttpClient } from './deliveries/http-client.adapter.js';
import { ATTEMPT_DEADLINE_MS } from './deliveries/retry-schedule.policy.js';
import { FanOutConsumer } from './events/fan-out.consumer.js';
import { createWebhooks, type Webhooks } from './webhooks.js';

/** Wires webhooks to its ground, and starts and stops what runs by itself. */
@Module({})
export class WebhooksModule implements OnModuleInit, OnApplicationShutdown {
  private readonly client: WebhookHttpClient;
  private readonly webhooks: Webhooks;
  private readonly consumer: FanOutConsumer;

  constructor(@Inject(PLATFORM) private readonly platform: Platform) {
    const { bus, clock, config, database, logger } = platform;
    const allowLoopback = allowsLoopbackWebhooks(config);
    this.client = new WebhookHttpClient({ allowLoopback, deadlineMs: ATTEMPT_DEADLINE_MS });
    this.webhooks = createWebhooks({
      pool: database.pool,
      clock,
      logger,
      poster: this.client,
      encryptionKeys: config.encryptionKeys,
      allowLoopback,
    });
    this.consumer = new FanOutConsumer(bus, this.webhooks.fanOut);
  }

  static with(platform: Platform): DynamicModule {
    return { module: WebhooksModule, providers: [{ provide: PLATFORM, useValue: platform }] };
  }

  async onModuleInit(): Promise<void> {
    this.platform.rpc.serve(webhooksCalls, this.webhooks.calls);
    const { scheduler, disabled, recovery, retention } = this.webhooks;
    for (const job of [scheduler, disabled, recovery, retention]) job.start();
    await this.consumer.start();
  }

  /** No new events, no new claims; then the attempts that run get a few seconds. */
  async onApplicationShutdown(): Promise<void> {
    await this.consumer.stop();
    const { scheduler, disabled, recovery, retention } = this.webhooks;
    await Promise.all([disabled.stop(), recovery.stop(), retention.stop()]);
    await Promise.all([scheduler.stop(), this.client.close()]);
  }
}
