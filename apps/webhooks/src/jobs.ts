import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, every, LOGGER, type Periodic } from '@watchword/platform';
import { RECOVERY_EVERY_MS, EventRecoveryJob } from './deliveries/recovery.job.js';
import { WebhooksDueWorkStore } from './due-work.store.js';
import { DisabledEndpointsJob } from './events/disabled-endpoints.job.js';
import { RETENTION_EVERY_MS, EventRetentionJob } from './events/retention.job.js';

/** Milliseconds between looks for work that other or dead processes have left. */
const LOOK_EVERY_MS = 3_000;

/** The recurring jobs of webhooks, beside the scheduler of deliveries. */
@Injectable()
export class WebhooksJobs {
  private running: Periodic[] = [];

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dueWork: WebhooksDueWorkStore,
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
      every(LOOK_EVERY_MS, 'due work', () => this.look(), logger),
    ];
  }

  async stop(): Promise<void> {
    this.recovery.stop();
    this.retention.stop();
    await Promise.all([this.disabled.stop(), ...this.running.map((job) => job.stop())]);
  }

  private async look(): Promise<void> {
    const { hasDisabled, hasRecoveries } = await this.dueWork.look(new Date(this.clock.now()));
    if (hasRecoveries) this.recovery.lookNow();
    if (hasDisabled) this.disabled.wake();
  }
}
