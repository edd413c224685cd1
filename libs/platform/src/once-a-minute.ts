import type { Clock } from '@watchword/contracts';
import { BoundedMap } from './bounded-map.js';

const MINUTE_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/** Decides which lines of the log are due, where each send or request could write the same one. */
export class OnceAMinute {
  private readonly toldAtMs = new BoundedMap<string, number>(REMEMBERED_MAX);

  constructor(private readonly clock: Clock) {}

  /** Returns true at most once a minute for each key; sooner where thousands of others came between. */
  isDue(key: string): boolean {
    const nowMs = this.clock.now();
    if (nowMs - (this.toldAtMs.get(key) ?? -Infinity) < MINUTE_MS) return false;
    this.toldAtMs.set(key, nowMs);
    return true;
  }
}
