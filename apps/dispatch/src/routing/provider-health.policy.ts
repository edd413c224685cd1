import { type Reason, reasonRule } from '@watchword/contracts';

/**
 * Circuit breaker of one provider. States: closed, open (since `openedAt`), probing.
 * - Opens when at least half of at least 20 calls within 30 s failed in a way that is the provider's
 *   fault, and at once when it refuses us (credentials, credit).
 * - After 15 s one call may go through as a probe; its outcome closes or reopens the circuit.
 * Calls are counted in whole seconds, so the memory is bounded whatever the rate.
 */
const WINDOW_SECONDS = 30;
const CALLS_MIN = 20;
const FAILURE_SHARE = 0.5;
const PROBE_AFTER_MS = 15_000;

interface Second {
  second: number;
  calls: number;
  failures: number;
}

export class ProviderHealth {
  private seconds: Second[] = [];
  private openedAt: number | null = null;
  private probingSince: number | null = null;

  /** Whether a call may go to it now. */
  isAvailable(now: number): boolean {
    if (this.openedAt === null) return true;
    const waitsSince = this.probingSince ?? this.openedAt;
    return now >= waitsSince + PROBE_AFTER_MS;
  }

  /** A call is about to be made; while the circuit is open it is the probe. */
  begin(now: number): void {
    if (this.openedAt !== null) this.probingSince = now;
  }

  /** `null`: it went well. True when this opened the circuit. */
  record(reason: Reason | null, now: number): boolean {
    const health = reason === null ? 'none' : reasonRule(reason).health;
    if (health === 'open') return this.open(now);
    const isFailure = health === 'counts';
    if (this.openedAt !== null) {
      if (isFailure) return this.open(now);
      if (reason === null) this.close();
      return false;
    }
    this.count(isFailure, now);
    return isFailure && this.isSick() ? this.open(now) : false;
  }

  private open(now: number): boolean {
    const isNew = this.openedAt === null;
    this.openedAt = now;
    this.probingSince = null;
    this.seconds = [];
    return isNew;
  }

  private close(): void {
    this.openedAt = null;
    this.probingSince = null;
  }

  private count(isFailure: boolean, now: number): void {
    const second = Math.floor(now / 1_000);
    this.seconds = this.seconds.filter((kept) => kept.second > second - WINDOW_SECONDS);
    let current = this.seconds.at(-1);
    if (current?.second !== second) {
      current = { second, calls: 0, failures: 0 };
      this.seconds.push(current);
    }
    current.calls += 1;
    if (isFailure) current.failures += 1;
  }

  private isSick(): boolean {
    const calls = this.seconds.reduce((sum, kept) => sum + kept.calls, 0);
    const failures = this.seconds.reduce((sum, kept) => sum + kept.failures, 0);
    return calls >= CALLS_MIN && failures >= calls * FAILURE_SHARE;
  }
}
