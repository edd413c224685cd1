import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { UsageStore } from './usage.store.js';

export const USAGE_EVERY_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
/**
 * Milliseconds. A change that was decided within the hour does not mark it as changed, so the hour
 * is counted when such changes have long been committed, and clocks may differ.
 */
const AFTER_HOUR_MS = 10 * 60_000;
/** Hours of workspaces that one transaction counts. */
const HOURS_AT_ONCE = 100;

/** Makes the roll-ups of hours that ended, and of those that changed since. */
@Injectable()
export class UsageJob {
  constructor(
    private readonly store: UsageStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns whether there may be more. */
  async run(): Promise<boolean> {
    const latest = this.clock.now() - AFTER_HOUR_MS;
    const endedBefore = new Date(Math.floor(latest / HOUR_MS) * HOUR_MS);
    return (await this.store.rollUp(endedBefore, HOURS_AT_ONCE)) === HOURS_AT_ONCE;
  }
}
