import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import { RATE_LIMITER } from './limits.js';
import { takeOrRefuse } from './take-or-refuse.js';

const SIGN_UPS_PER_DAY = 5;
const INVITATIONS_PER_DAY = 50;
const DAY_SECONDS = 24 * 60 * 60;

/** Limits of a UTC day, of which only successes count. */
@Injectable()
export class DailyLimits {
  constructor(
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Five sign-ups for each IP address, of invited people too. */
  ofSignUps<Result>(ip: string, work: () => Promise<Result>): Promise<Result> {
    return this.during(`sign-up:${ip}`, SIGN_UPS_PER_DAY, work);
  }

  /** Fifty invitations of each workspace. */
  ofInvitations<Result>(workspaceId: string, work: () => Promise<Result>): Promise<Result> {
    return this.during(`invitation:${workspaceId}`, INVITATIONS_PER_DAY, work);
  }

  private async during<Result>(
    name: string,
    limit: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const counters = [this.counter(name, limit)];
    await takeOrRefuse(this.limiter, counters, 'rate_limited');
    try {
      return await work();
    } catch (error) {
      await this.limiter.giveBack(counters);
      throw error;
    }
  }

  /** The window ends with the UTC day, which is in its name. */
  private counter(name: string, limit: number) {
    const nowSeconds = this.clock.now() / 1_000;
    const day = Math.floor(nowSeconds / DAY_SECONDS);
    return {
      key: `${name}:${day}`,
      limit,
      windowSeconds: Math.max(1, Math.ceil((day + 1) * DAY_SECONDS - nowSeconds)),
      strict: true,
    };
  }
}
