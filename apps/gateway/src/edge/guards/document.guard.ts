import { Inject, Injectable } from '@nestjs/common';
import { HttpSettings } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { MemoryRateLimiter, type RateLimiter } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import { clientIpOf } from '../../limits/client-ip.js';
import { documentCounter } from '../../limits/limit-table.policy.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { PlatformSettingsHolder } from '../../limits/platform-settings.js';
import { takeOrRefuse } from '../../limits/take-or-refuse.js';

/** Limits reads of public documents by address. */
@Injectable()
export class DocumentGuard {
  private readonly readiness: RateLimiter;

  constructor(
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly settings: PlatformSettingsHolder,
    private readonly http: HttpSettings,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.readiness = new MemoryRateLimiter({ clock });
  }

  /** Enters a document, which is large. */
  enter(request: FastifyRequest): Promise<void> {
    return this.count(request, this.limiter);
  }

  /**
   * Enters `/ready`. Each gateway counts alone: a balancer asks every one of them, each second, and
   * also while Redis is unavailable.
   */
  enterReadiness(request: FastifyRequest): Promise<void> {
    return this.count(request, this.readiness);
  }

  private count(request: FastifyRequest, limiter: RateLimiter): Promise<void> {
    const ip = clientIpOf(request, this.http.trustedProxies);
    const counter = documentCounter(ip, this.settings.current);
    return takeOrRefuse(limiter, [counter], 'rate_limit_exceeded');
  }
}
