import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkspaceId } from '@watchword/contracts';
import type { AttemptOutcome } from './delivery.js';

/** What an answer says about a host: 2xx, a reason to send less, or neither. */
export type Answer = 'ok' | 'overloaded' | 'other';

/** What lanes of a workspace share: how many attempts may run at once. */
export interface Bound {
  /** Milliseconds until it is free. Null: when an attempt ends. */
  wait(): number | null;
  take(): void;
  /** `answer` is null when there was no POST. */
  giveBack(answer: Answer | null): void;
}

/** Returns whether an attempt may begin, at the latest after the pause that a bound of time asks for. */
export async function hasFreeSlot(bounds: readonly Bound[]): Promise<boolean> {
  for (;;) {
    const waits = bounds.map((bound) => bound.wait());
    if (waits.includes(null)) return false;
    const waitMs = Math.max(...(waits as number[]));
    if (waitMs === 0) return true;
    await sleep(waitMs);
  }
}

const SECOND_MS = 1_000;
const HOST_FIRST = 32;
const HOST_MIN = 4;
const HOST_MAX = 512;
const TRIAL_AT_ONCE = 10;
const TRIAL_PER_SECOND = 50;

/** Time-outs, refused connections, 429 and 5xx ask for less. */
export function answerOf({ statusCode, error }: AttemptOutcome): Answer {
  if (statusCode === null || statusCode === 429 || statusCode >= 500) return 'overloaded';
  if (statusCode >= 300) return 'other';
  return error === null ? 'ok' : 'overloaded';
}

/** Returns this process's part of a bound that several replicas share; at least one. */
type ShareOf = (bound: number) => number;

/** Deliveries to one host: 32 at once at first, twice as many after each second of 2xx only, half after each failure. */
export class HostBound implements Bound {
  running = 0;
  private limit = HOST_FIRST;
  private second = { sinceMs: -Infinity, isWell: true };

  constructor(
    private readonly shareOf: ShareOf,
    private readonly time: () => number,
  ) {}

  get usedAtMs(): number {
    return this.second.sinceMs;
  }

  wait(): number | null {
    return this.running < this.shareOf(this.limit) ? 0 : null;
  }

  take(): void {
    // A second begins with an attempt: a pause proves nothing.
    if (this.running === 0) this.second = { sinceMs: this.time(), isWell: true };
    this.running += 1;
  }

  giveBack(answer: Answer | null): void {
    this.running -= 1;
    if (answer === null) return;
    if (answer !== 'ok') this.second.isWell = false;
    if (answer === 'overloaded') this.limit = Math.max(Math.floor(this.limit / 2), HOST_MIN);
    const nowMs = this.time();
    if (nowMs - this.second.sinceMs < SECOND_MS) return;
    if (this.second.isWell) this.limit = Math.min(this.limit * 2, HOST_MAX);
    this.second = { sinceMs: nowMs, isWell: true };
  }
}

/** All deliveries of a trial workspace: some at once, at even distances. */
export class TrialBound implements Bound {
  running = 0;
  usedAtMs = -Infinity;
  private nextAtMs = -Infinity;

  constructor(
    private readonly shareOf: ShareOf,
    private readonly time: () => number,
  ) {}

  wait(): number | null {
    if (this.running >= this.shareOf(TRIAL_AT_ONCE)) return null;
    return Math.max(this.nextAtMs - this.time(), 0);
  }

  take(): void {
    this.usedAtMs = this.time();
    this.nextAtMs = this.usedAtMs + SECOND_MS / this.shareOf(TRIAL_PER_SECOND);
    this.running += 1;
  }

  giveBack(answer: Answer | null): void {
    this.running -= 1;
    // What waited too long here became a row again.
    if (answer === null) this.nextAtMs = -Infinity;
  }
}

interface Bounded {
  readonly workspaceId: WorkspaceId;
  readonly url: URL;
  readonly isTrial: boolean;
}

/** The bounds of all workspaces that this process delivers for. Each live replica has an equal share. */
export class DeliveryBounds {
  /** How many replicas deliver, as far as this one knows. */
  replicas = 1;
  private readonly bounds = new Map<string, HostBound | TrialBound>();
  private readonly shareOf: ShareOf = (bound) => Math.max(Math.floor(bound / this.replicas), 1);

  constructor(private readonly time: () => number = () => performance.now()) {}

  of({ workspaceId, url, isTrial }: Bounded): readonly Bound[] {
    const host = this.kept(`${workspaceId} ${url.hostname}`, HostBound);
    return isTrial ? [this.kept(workspaceId, TrialBound), host] : [host];
  }

  /** Drops bounds without attempts for this long. */
  forgetIdle(idleMs: number): void {
    const since = this.time() - idleMs;
    for (const [key, bound] of this.bounds) {
      if (bound.running === 0 && bound.usedAtMs < since) this.bounds.delete(key);
    }
  }

  private kept(
    key: string,
    make: new (shareOf: ShareOf, time: () => number) => HostBound | TrialBound,
  ): Bound {
    const known = this.bounds.get(key) ?? new make(this.shareOf, this.time);
    this.bounds.set(key, known);
    return known;
  }
}
