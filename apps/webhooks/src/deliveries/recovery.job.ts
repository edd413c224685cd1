import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER, NextLook } from '@watchword/platform';
import { DeliveryScheduler } from './delivery.scheduler.js';
import { RecoveryProgressStore } from './recovery.store.js';

/** A recovery makes at most 100 deliveries a second, so that new events are not pushed aside. */
const PACE = { everyMs: 1_000, chunkSize: 100 };
/** Where nothing says that one runs. */
const LOOK_EVERY_MS = 60_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Goes on with every recovery that runs, a chunk a second. Replicas take turns. */
@Injectable()
export class RecoveryJob {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopped = false;
  private readonly look = new NextLook(LOOK_EVERY_MS);

  constructor(
    private readonly store: RecoveryProgressStore,
    @Inject(DeliveryScheduler) private readonly scheduler: Pick<DeliveryScheduler, 'due'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A recovery goes on now. */
  expect(): void {
    this.look.in(0);
  }

  start(): void {
    this.timer = setInterval(() => {
      if (!this.look.isDue) return;
      this.running ??= this.run()
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, 'webhook recoveries failed, retrying'),
        )
        .finally(() => (this.running = undefined));
    }, PACE.everyMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** One chunk of each. */
  async run(): Promise<void> {
    this.look.begin();
    let after = BEFORE_ALL;
    while (!this.isStopped) {
      const at = this.clock.now();
      const advanced = await this.store.advance(after, PACE, new Date(at));
      if (!advanced) return;
      this.look.in(0);
      this.scheduler.due(advanced.endpointId, at);
      after = advanced.id;
    }
  }
}
