import { Inject, Injectable } from '@nestjs/common';
import { type Clock, INVITATIONS_PER_DAY, SIGN_UPS_PER_DAY } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import { RATE_LIMITER } from './limits.js';
import { tooManyRequests } from './take-or-refuse.js';
import { whileCounted } from './while-counted.js';

const DAY_SECONDS = 24 * 60 * 60;

/** Limits of a UTC day, of which only successes count. */
@Injectable()
export class DailyLimits {
  constructor(
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  ofSignUps<Result>(ip: string, work: () => Promise<Result>): Promise<Result> {
    return this.during(`sign-up:${ip}`, SIGN_UPS_PER_DAY, work);
  }

  ofInvitations<Result>(workspaceId: string, work: () => Promise<Result>): Promise<Result> {
    return this.during(`invitation:${workspaceId}`, INVITATIONS_PER_DAY, work);
  }

  private async during<Result>(
    name: string,
    limit: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const counted = await whileCounted(this.limiter, [this.counter(name, limit)], work);
    if (!counted.admitted) throw tooManyRequests(counted, 'rate_limited');
    return counted.result;
  }

  /** The window ends with the UTC day, which is in its name. */
  private counter(name: string, limit: number) {
    const nowSeconds = this.clock.now() / 1_000;
    const day = Math.floor(nowSeconds / DAY_SECONDS);
    return {
      key: `${name}:${day}`,
      limit,
      windowSeconds: Math.max(1, Math.ceil((day + 1) * DAY_SECONDS - nowSeconds)),
    };
  }
}
