import { systemClock } from '@watchword/contracts';
import type { Clock } from '@watchword/contracts';
import type { Capacity } from './capacity.js';

/**
 * The capacity of one account. A call starts when fewer than `concurrency` are unanswered and the
 * rate allows it. Other calls wait in order of arrival.
 *
 * - Each account has its own slots, so a hanging carrier uses up only its own.
 * - `waitingMax` calls may wait. A further call gets `FULL`, and tries another account at once.
 * - An account is moving while the last answer that took less than a second is less than a second
 *   old. One that is moving and has no rate lets more than `waitingMax` calls wait: another account
 *   would cost a further attempt and answer no sooner.
 * - A time-out takes longer than a second, so a hanging carrier is not moving.
 * - `messagesPerSecond` is a token bucket that fills evenly. It holds a tenth of a second's worth,
 *   so no second exceeds 1.1 times the rate.
 * - With `perDomain`, calls to a slow recipient domain take only the slots of that domain.
 * - A call with a `Timeout` is asked, each time it passes, whether it gives up its place in the queue.
 */
export const FULL = Symbol('the slots and the queue of the account are full');

const BURST_SECONDS = 0.1;
const MOVING_MS = 1_000;

/** How long a call waits for its slot. */
export interface Timeout {
  /** Milliseconds after which the call is asked, and again after each further time of this length. */
  readonly timeoutMs: number;
  /** Returns whether the call gets `FULL` now. Else it keeps its place in the queue. */
  givesUp(): boolean;
}

interface Waiting {
  readonly domain: string;
  readonly enter: (hasSlot: boolean) => void;
  timeout?: NodeJS.Timeout | undefined;
}

export class AccountSlots {
  private running = 0;
  private waiting: Waiting[] = [];
  private tokens: number;
  private filledAt: number;
  private wake: NodeJS.Timeout | null = null;
  private isClosed = false;
  private movedAt = Number.NEGATIVE_INFINITY;
  private watch: NodeJS.Timeout | null = null;
  private readonly runningByDomain = new Map<string, number>();

  constructor(
    private readonly capacity: Capacity,
    private readonly clock: Clock = systemClock,
  ) {
    this.tokens = this.burst;
    this.filledAt = clock.now();
  }

  get unanswered(): number {
    return this.running;
  }

  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Whether a call made now would get `FULL`. */
  get isFull(): boolean {
    return this.refuses('');
  }

  /** `domain`: the recipient's, where the capacity bounds the calls to one. */
  async run<Result>(
    call: () => Promise<Result>,
    domain = '',
    timeout?: Timeout,
  ): Promise<Result | typeof FULL> {
    if (!(await this.enter(domain, timeout))) return FULL;
    const startedAt = this.clock.now();
    try {
      return await call();
    } finally {
      this.leave(domain);
      const now = this.clock.now();
      if (now - startedAt < MOVING_MS) this.movedAt = now;
      this.admit();
    }
  }

  /** Answers waiting calls with `FULL`. Running calls continue. */
  close(): void {
    this.isClosed = true;
    if (this.wake !== null) clearTimeout(this.wake);
    if (this.watch !== null) clearTimeout(this.watch);
    const { waiting } = this;
    this.waiting = [];
    for (const one of waiting) answer(one, false);
  }

  private refuses(domain: string): boolean {
    if (this.isClosed) return true;
    const { waitingMax } = this.capacity;
    return !this.hasSlot(domain) && this.waiting.length >= waitingMax && !this.isMoving;
  }

  private get isMoving(): boolean {
    const { messagesPerSecond: rate } = this.capacity;
    return rate === null && this.clock.now() - this.movedAt < MOVING_MS;
  }

  private enter(domain: string, timeout?: Timeout): Promise<boolean> {
    if (this.refuses(domain)) return Promise.resolve(false);
    if (this.hasSlot(domain) && this.nextIndex() === -1) {
      this.take(domain);
      return Promise.resolve(true);
    }
    return new Promise((enter) => {
      const one: Waiting = { domain, enter };
      this.waiting.push(one);
      this.wakeInTime();
      this.watchWaiting();
      if (timeout !== undefined) this.watchTimeout(one, timeout);
    });
  }

  /** Answers those beyond `waitingMax` with `FULL` once the account stops moving. */
  private watchWaiting(): void {
    const { waitingMax } = this.capacity;
    if (this.watch !== null || this.waiting.length <= waitingMax) return;
    this.watch = setTimeout(() => {
      this.watch = null;
      if (!this.isMoving) for (const one of this.waiting.splice(waitingMax)) answer(one, false);
      this.watchWaiting();
    }, MOVING_MS).unref();
  }

  private watchTimeout(one: Waiting, { timeoutMs, givesUp }: Timeout): void {
    one.timeout = setInterval(() => {
      if (!givesUp()) return;
      this.waiting.splice(this.waiting.indexOf(one), 1);
      answer(one, false);
    }, timeoutMs).unref();
  }

  private admit(): void {
    for (let next = this.nextIndex(); next !== -1; next = this.nextIndex()) {
      const [one] = this.waiting.splice(next, 1);
      this.take(one!.domain);
      answer(one!, true);
    }
    this.wakeInTime();
  }

  /** Index of the waiting call that can have a slot now, or -1. */
  private nextIndex(): number {
    if (this.waiting.length === 0 || !this.hasSlot('')) return -1;
    return this.waiting.findIndex(({ domain }) => this.isDomainFree(domain));
  }

  private take(domain: string): void {
    this.running += 1;
    this.tokens -= 1;
    this.count(domain, 1);
  }

  private leave(domain: string): void {
    this.running -= 1;
    this.count(domain, -1);
  }

  private count(domain: string, change: 1 | -1): void {
    if (this.capacity.perDomain === undefined) return;
    const count = (this.runningByDomain.get(domain) ?? 0) + change;
    if (count === 0) this.runningByDomain.delete(domain);
    else this.runningByDomain.set(domain, count);
  }

  private hasSlot(domain: string): boolean {
    this.fill();
    const isFree = this.running < this.capacity.concurrency && this.tokens >= 1;
    return isFree && this.isDomainFree(domain);
  }

  /** The empty domain stands for the account alone. */
  private isDomainFree(domain: string): boolean {
    const { perDomain } = this.capacity;
    if (perDomain === undefined || domain === '') return true;
    return (this.runningByDomain.get(domain) ?? 0) < perDomain;
  }

  private fill(): void {
    const { messagesPerSecond: rate } = this.capacity;
    const now = this.clock.now();
    const gained = rate === null ? Infinity : (Math.max(0, now - this.filledAt) / 1_000) * rate;
    this.tokens = Math.min(this.burst, this.tokens + gained);
    this.filledAt = now;
  }

  private get burst(): number {
    const { messagesPerSecond: rate } = this.capacity;
    return rate === null ? Infinity : Math.max(1, rate * BURST_SECONDS);
  }

  /** Sets a timer for a call that waits for the rate. An answer wakes the other calls. */
  private wakeInTime(): void {
    const { messagesPerSecond: rate, concurrency } = this.capacity;
    const waitsForRate = rate !== null && this.waiting.length > 0 && this.running < concurrency;
    if (!waitsForRate || this.wake !== null) return;
    const delayMs = Math.max(1, Math.ceil(((1 - this.tokens) / rate) * 1_000));
    this.wake = setTimeout(() => {
      this.wake = null;
      this.admit();
    }, delayMs);
  }
}

function answer({ enter, timeout }: Waiting, hasSlot: boolean): void {
  clearInterval(timeout);
  enter(hasSlot);
}
