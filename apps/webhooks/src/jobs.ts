import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@watchword/observability';
import { every, LOGGER, type Periodic } from '@watchword/platform';
import { RECOVERY_EVERY_MS, EventRecoveryJob } from './deliveries/recovery.job.js';
import { DisabledEndpointsJob } from './events/disabled-endpoints.job.js';
import { RETENTION_EVERY_MS, EventRetentionJob } from './events/retention.job.js';

/** The recurring jobs of webhooks, beside the scheduler of deliveries. */
@Injectable()
export class WebhooksJobs {
  private running: Periodic[] = [];

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly disabled: DisabledEndpointsJob,
    private readonly recovery: EventRecoveryJob,
    private readonly retention: EventRetentionJob,
  ) {}

  start(): void {
    const { disabled, logger, recovery, retention } = this;
    const partitions = () => retention.makePartitions();
    const making = every(RETENTION_EVERY_MS, 'delivery partitions', partitions, logger);
    making.soon();
    disabled.start();
    this.running = [
      making,
      every(RECOVERY_EVERY_MS, 'webhook recoveries', () => recovery.run(), logger),
      every(RETENTION_EVERY_MS, 'retention of events', () => retention.run(), logger),
    ];
  }

  async stop(): Promise<void> {
    this.recovery.stop();
    this.retention.stop();
    await Promise.all([this.disabled.stop(), ...this.running.map((job) => job.stop())]);
  }
}
