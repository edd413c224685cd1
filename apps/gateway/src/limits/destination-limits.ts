import { Inject, Injectable } from '@nestjs/common';
import type { LimitErrorType } from '@watchword/contracts';
import type { Counter, RateLimiter, Verdict } from '@watchword/rate-limit';
import { RATE_LIMITER } from './limits.js';
import { tooManyRequests } from './take-or-refuse.js';

/** Reverses the counts of a request that has not sent: a replay or a refusal. */
export type GiveBack = () => Promise<void>;

/**
 * Counters that stop applying once the workspace has purchased. Asked before one of them refuses.
 */
export interface WaivableCounters {
  readonly counters: readonly Counter[];
  readonly isWaived: () => Promise<boolean>;
}

/**
 * Counts a request at its destination before it is known whether it will send.
 *
 * Trade: a replay counts until billing recognises it, and can refuse a send in that moment.
 */
@Injectable()
export class DestinationLimits {
  constructor(@Inject(RATE_LIMITER) private readonly limiter: RateLimiter) {}

  /** Throws the route's 429 when a counter is full. Then none has counted. */
  async take(
    fixed: readonly Counter[],
    type: LimitErrorType,
    waivable?: WaivableCounters,
  ): Promise<GiveBack> {
    let counters = waivable ? [...fixed, ...waivable.counters] : fixed;
    let verdict = await this.takeAllOrNone(counters);
    if (!verdict.admitted && verdict.refusedBy >= fixed.length && (await waivable?.isWaived())) {
      counters = fixed;
      verdict = await this.takeAllOrNone(counters);
    }
    if (!verdict.admitted) throw tooManyRequests(verdict, type);
    return async () => this.limiter.giveBack(counters);
  }

  private async takeAllOrNone(counters: readonly Counter[]): Promise<Verdict> {
    const verdict = await this.limiter.take(counters);
    if (!verdict.admitted && verdict.refusedBy > 0) {
      await this.limiter.giveBack(counters.slice(0, verdict.refusedBy));
    }
    return verdict;
  }
}
