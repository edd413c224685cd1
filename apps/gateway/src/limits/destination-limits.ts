import { Inject, Injectable } from '@nestjs/common';
import type { LimitErrorType } from '@watchword/contracts';
import type { Counter, RateLimiter } from '@watchword/rate-limit';
import { RATE_LIMITER } from './limits.js';
import { tooManyRequests } from './take-or-refuse.js';

/** The places of one request at its counters. */
export interface Places {
  /** Call once. `true` keeps the places, `false` returns them: a replay or a refusal has not sent. */
  decide(counts: boolean): Promise<void>;
}

/**
 * Counters that stop applying once the workspace has purchased. Asked before one of them refuses.
 */
export interface WaivableCounters {
  readonly counters: readonly Counter[];
  readonly isWaived: () => Promise<boolean>;
}

const NO_PLACES: Places = { decide: () => Promise.resolve() };

/** Requests that wait at one counter. Further ones are refused at once. */
const WAITING_MAX = 16;

/**
 * Takes places at counters by destination, before it is known whether the request will send. While all
 * places are taken and some of them may be returned, further requests wait. So a replay costs no other
 * request its place. A request that is refused has no place anywhere, because nothing was sent.
 *
 * Trade: it sees the requests of its own process. A replay at another gateway can still take a place
 * briefly.
 */
@Injectable()
export class DestinationLimits {
  /** Number of places by counter that may be returned. */
  private readonly undecided = new Map<string, number>();
  /** By counter, oldest first. `true` is an invitation to try again. */
  private readonly waiting = new Map<string, ((mayTry: boolean) => void)[]>();

  constructor(@Inject(RATE_LIMITER) private readonly limiter: RateLimiter) {}

  /** Throws the route's 429 where a counter stays full. */
  async take(
    fixed: readonly Counter[],
    type: LimitErrorType,
    waivable?: WaivableCounters,
  ): Promise<Places> {
    let counters = waivable ? [...fixed, ...waivable.counters] : fixed;
    let invitedBy: string | undefined;
    for (;;) {
      if (counters.length === 0) return NO_PLACES;
      const verdict = await this.limiter.take(counters);
      if (verdict.admitted) break;
      const { refusedBy } = verdict;
      const { key } = counters[refusedBy]!;
      if (refusedBy > 0) await this.limiter.giveBack(counters.slice(0, refusedBy));
      if (invitedBy !== undefined && invitedBy !== key) this.inviteOne(invitedBy);
      invitedBy = key;
      if (await this.mayTryAgain(key)) continue;
      // Another gateway may have taken the place that was returned here. Then nothing invites again.
      if (!this.undecided.has(key)) this.refuseAll(key);
      const mayBeWaived = refusedBy >= fixed.length;
      if (!mayBeWaived || !(await waivable?.isWaived())) throw tooManyRequests(verdict, type);
      [counters, invitedBy] = [fixed, undefined];
    }
    for (const { key } of counters) this.undecided.set(key, (this.undecided.get(key) ?? 0) + 1);
    return { decide: (counts) => this.decide(counters, counts) };
  }

  private mayTryAgain(key: string): Promise<boolean> | false {
    if (!this.undecided.has(key)) return false;
    const waiting = this.waiting.get(key) ?? [];
    if (waiting.length >= WAITING_MAX) return false;
    this.waiting.set(key, waiting);
    return new Promise((resolve) => waiting.push(resolve));
  }

  private async decide(counters: readonly Counter[], counts: boolean): Promise<void> {
    if (!counts) await this.limiter.giveBack(counters);
    for (const { key } of counters) {
      const left = this.undecided.get(key)! - 1;
      if (left > 0) this.undecided.set(key, left);
      else this.undecided.delete(key);
      if (!counts) this.inviteOne(key);
      else if (left === 0) this.refuseAll(key);
    }
  }

  /** The one invited takes the place that became free, or invites the next. */
  private inviteOne(key: string): void {
    const waiting = this.waiting.get(key);
    const next = waiting?.shift();
    if (waiting?.length === 0) this.waiting.delete(key);
    next?.(true);
  }

  private refuseAll(key: string): void {
    const waiting = this.waiting.get(key) ?? [];
    this.waiting.delete(key);
    for (const resolve of waiting) resolve(false);
  }
}
