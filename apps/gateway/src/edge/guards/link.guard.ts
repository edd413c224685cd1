import { Inject, Injectable } from '@nestjs/common';
import { HttpSettings } from '@watchword/config';
import type { Clock, Route } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { MemoryRateLimiter, type RateLimiter } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import { clientIpOf } from '../../limits/client-ip.js';
import { tooManyRequests } from '../../limits/take-or-refuse.js';
import { setContext } from '../request/request-context.js';

/**
 * For each address and route. Mailbox providers open the images of all their users, and unsubscribe
 * them, from few addresses.
 */
export const LINK_CALLS_PER_MINUTE = 6_000;

/**
 * Limits the links of emails by address. Each gateway counts alone, so a hit asks no other server
 * (ADR 17).
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

  /** Beyond the limit of an `inBand` route the controller answers as ever, and records nothing. */
  async enter(request: FastifyRequest, { operationId, limits }: Route): Promise<void> {
    const key = `${operationId}:${clientIpOf(request, this.http.trustedProxies)}`;
    const counter = { key, limit: LINK_CALLS_PER_MINUTE, windowSeconds: 60 };
    const verdict = await this.limiter.take([counter]);
    if (verdict.admitted) return;
    const limited = tooManyRequests(verdict, limits.errorType);
    if (!limits.inBand) throw limited;
    setContext(request, { caller: undefined, remaining: null, limited });
  }
}
