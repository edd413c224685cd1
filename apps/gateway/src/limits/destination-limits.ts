import { Inject, Injectable } from '@nestjs/common';
import type { LimitErrorType } from '@watchword/contracts';
import type { Counter, RateLimiter } from '@watchword/rate-limit';
import { RATE_LIMITER } from './limits.js';
import { tooManyRequests } from './take-or-refuse.js';

/** The places of one request at its counters. */
export interface Places {
  /** Call it once, when it is known whether the request counts. A replay or a refusal does not. */
  decide(counts: boolean): void | Promise<void>;
}

const NO_PLACES: Places = { decide: () => undefined };

/**
 * Takes places at counters by destination before it is known whether the request counts. A request
 * that finds no place waits while one of those taken may be given back, so a replay never costs
 * another request its place.
 *
 * Trade: it knows the requests of its own process. With several gateways a replay at another one
 * can still cost a place for the moment that it takes.
 */
@Injectable()
export class DestinationLimits {
  /** Number of places by counter that may be given back. */
  private readonly undecided = new Map<string, number>();
  private readonly waiting = new Map<string, ((isFree: boolean) => void)[]>();

  constructor(@Inject(RATE_LIMITER) private readonly limiter: RateLimiter) {}

  /** Throws the route's 429 where a counter stays full. */
  async take(counters: readonly Counter[], type: LimitErrorType): Promise<Places> {
    if (counters.length === 0) return NO_PLACES;
    for (;;) {
      const verdict = await this.limiter.take(counters);
      if (verdict.admitted) break;
      const { refusedBy } = verdict;
      if (!(await this.becomesFree(counters[refusedBy]!))) throw tooManyRequests(verdict, type);
      if (refusedBy > 0) await this.limiter.giveBack(counters.slice(0, refusedBy));
    }
    for (const { key } of counters) this.undecided.set(key, (this.undecided.get(key) ?? 0) + 1);
    return { decide: (counts) => this.decide(counters, counts) };
  }

  private becomesFree({ key }: Counter): Promise<boolean> | false {
    if (!this.undecided.has(key)) return false;
    return new Promise((resolve) => {
      const others = this.waiting.get(key);
      if (others) others.push(resolve);
      else this.waiting.set(key, [resolve]);
    });
  }

  private decide(counters: readonly Counter[], counts: boolean): void | Promise<void> {
    if (counts) return this.decided(counters, counts);
    return this.giveBack(counters);
  }

  private async giveBack(counters: readonly Counter[]): Promise<void> {
    await this.limiter.giveBack(counters);
    this.decided(counters, false);
  }

  private decided(counters: readonly Counter[], counts: boolean): void {
    for (const { key } of counters) {
      const left = (this.undecided.get(key) ?? 1) - 1;
      if (left > 0) this.undecided.set(key, left);
      else this.undecided.delete(key);
      if (!counts || left === 0) this.wake(key, !counts);
    }
  }

  private wake(key: string, isFree: boolean): void {
    const waiting = this.waiting.get(key) ?? [];
    this.waiting.delete(key);
    for (const resolve of waiting) resolve(isFree);
  }
}
