import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK, NextPoll } from '@watchword/platform';
import { DeliveryScheduler } from './delivery.scheduler.js';
import { RecoveryProgressStore } from './recovery.store.js';

export const RECOVERY_EVERY_MS = 1_000;
/** A recovery makes at most 100 deliveries a second, so that new events are not pushed aside. */
const PACE = { everyMs: RECOVERY_EVERY_MS, chunkSize: 100 };
/** Milliseconds between polls for recoveries that were begun, or that a dead process has left. */
const POLL_EVERY_MS = 3_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Continues every running recovery, a chunk a second. Replicas take turns. */
@Injectable()
export class EventRecoveryJob {
  private isStopped = false;
  private readonly poll = new NextPoll(POLL_EVERY_MS);

  constructor(
    private readonly store: RecoveryProgressStore,
    @Inject(DeliveryScheduler) private readonly scheduler: Pick<DeliveryScheduler, 'due'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Ends a run after the current chunk. */
  stop(): void {
    this.isStopped = true;
  }

  /** Runs one chunk of each, where one may run. */
  async run(): Promise<void> {
    if (!this.poll.isDue) return;
    this.poll.begin();
    let after = BEFORE_ALL;
    while (!this.isStopped) {
      const at = this.clock.now();
      const advanced = await this.store.advance(after, PACE, new Date(at));
      if (!advanced) return;
      this.poll.in(0);
      this.scheduler.due(advanced.endpointId, at);
      after = advanced.id;
    }
  }
}
