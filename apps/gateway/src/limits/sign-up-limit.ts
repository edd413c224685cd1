import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import { RATE_LIMITER } from './limits.js';
import { takeOrRefuse } from './take-or-refuse.js';

const WORKSPACES_PER_DAY = 5;
const DAY_SECONDS = 24 * 60 * 60;

/** Five new workspaces for each IP address and UTC day; only successes count. */
@Injectable()
export class SignUpLimit {
  constructor(
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async during<Result>(ip: string, work: () => Promise<Result>): Promise<Result> {
    const counters = [this.counter(ip)];
    await takeOrRefuse(this.limiter, counters, 'rate_limited');
    try {
      return await work();
    } catch (error) {
      await this.limiter.giveBack(counters);
      throw error;
    }
  }

  /** The window ends with the UTC day, which is in its name. */
  private counter(ip: string) {
    const nowSeconds = this.clock.now() / 1_000;
    const day = Math.floor(nowSeconds / DAY_SECONDS);
    return {
      key: `sign-up:${day}:${ip}`,
      limit: WORKSPACES_PER_DAY,
      windowSeconds: Math.max(1, Math.ceil((day + 1) * DAY_SECONDS - nowSeconds)),
      strict: true,
    };
  }
}
