import { systemClock } from '@watchword/contracts';
import type { Clock } from '@watchword/contracts';
import type { Capacity } from './capacity.js';

/**
 * The capacity of one account. A call starts when fewer than `concurrency` are unanswered and the
 * rate allows it. Other calls wait in order of arrival.
 *
 * - Each account has its own room, so a hanging carrier fills only its own.
 * - `waitingMax` calls may wait. A further call gets `FULL`, and tries another account at once.
 * - A room moves while a call answers within a second of its start and the last such answer is
 *   less than a second old. A room without a rate that moves lets more than `waitingMax` wait:
 *   another account would cost a further attempt and answer no sooner.
 * - A time-out takes longer than a second, so a hanging carrier does not move its room.
 * - `messagesPerSecond` is a token bucket that fills evenly. It holds a tenth of a second's worth,
 *   so no second exceeds 1.1 times the rate.
 */
export const FULL = Symbol('the room of the account is full');

const BURST_SECONDS = 0.1;
const MOVING_MS = 1_000;

interface Waiting {
  enter(hasPlace: boolean): void;
}

export class AccountRoom {
  private running = 0;
  private waiting: Waiting[] = [];
  private tokens: number;
  private filledAt: number;
  private wake: NodeJS.Timeout | null = null;
  private isClosed = false;
  private movedAt = Number.NEGATIVE_INFINITY;
  private watch: NodeJS.Timeout | null = null;

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
    if (this.isClosed) return true;
    return !this.hasPlace() && this.waiting.length >= this.capacity.waitingMax && !this.isMoving;
  }

  private get isMoving(): boolean {
    const { messagesPerSecond: rate } = this.capacity;
    return rate === null && this.clock.now() - this.movedAt < MOVING_MS;
  }

  async run<Result>(call: () => Promise<Result>): Promise<Result | typeof FULL> {
    if (!(await this.enter())) return FULL;
    const startedAt = this.clock.now();
    try {
      return await call();
    } finally {
      this.running -= 1;
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
    for (const one of waiting) one.enter(false);
  }

  private enter(): Promise<boolean> {
    if (this.isFull) return Promise.resolve(false);
    if (this.waiting.length === 0 && this.hasPlace()) {
      this.take();
      return Promise.resolve(true);
    }
    return new Promise((enter) => {
      this.waiting.push({ enter });
      this.wakeInTime();
      this.watchWaiting();
    });
  }

  /** Answers those beyond `waitingMax` with `FULL` once the room stops moving. */
  private watchWaiting(): void {
    const { waitingMax } = this.capacity;
    if (this.watch !== null || this.waiting.length <= waitingMax) return;
    this.watch = setTimeout(() => {
      this.watch = null;
      if (!this.isMoving) for (const one of this.waiting.splice(waitingMax)) one.enter(false);
      this.watchWaiting();
    }, MOVING_MS).unref();
  }

  private admit(): void {
    while (this.waiting.length > 0 && this.hasPlace()) {
      this.take();
      this.waiting.shift()?.enter(true);
    }
    this.wakeInTime();
  }

  private take(): void {
    this.running += 1;
    this.tokens -= 1;
  }

  private hasPlace(): boolean {
    this.fill();
    return this.running < this.capacity.concurrency && this.tokens >= 1;
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
