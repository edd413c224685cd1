import { Inject, Injectable } from '@nestjs/common';
import { HttpSettings } from '@watchword/config';
import type { Clock, Route } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { MemoryRateLimiter, type RateLimiter } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import { clientIpOf } from '../../limits/client-ip.js';
import { takeOfMinute } from '../../limits/take-or-refuse.js';

/**
 * For each address and route. Mailbox providers open the images of all their users, and unsubscribe
 * them, from few addresses.
 */
export const LINK_CALLS_PER_MINUTE = 6_000;

/**
 * Limits the links of emails by address. Each gateway counts alone, so a hit asks no other server
 * (ADR 95).
 */
@Injectable()
export class LinkGuard {
  private readonly limiter: RateLimiter;

  constructor(
    private readonly http: HttpSettings,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.limiter = new MemoryRateLimiter({ clock });
  }

  async enter(request: FastifyRequest, route: Route): Promise<void> {
    await takeOfMinute(this.limiter, this.keyOf(request, route), LINK_CALLS_PER_MINUTE);
  }

  /** Counts a hit that is answered in any case. Returns whether it is worth recording. */
  async admits(request: FastifyRequest, route: Route): Promise<boolean> {
    const key = this.keyOf(request, route);
    const counter = { key, limit: LINK_CALLS_PER_MINUTE, windowSeconds: 60 };
    return (await this.limiter.take([counter])).admitted;
  }

  private keyOf(request: FastifyRequest, { operationId }: Route): string {
    return `${operationId}:${clientIpOf(request, this.http.trustedProxies)}`;
  }
}
