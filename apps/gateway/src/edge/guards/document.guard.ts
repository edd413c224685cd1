import { Inject, Injectable } from '@nestjs/common';
import { HttpSettings } from '@watchword/config';
import type { RateLimiter } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import { clientIpOf } from '../../limits/client-ip.js';
import { documentCounter } from '../../limits/limit-table.policy.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { PlatformSettingsHolder } from '../../limits/platform-settings.js';
import { takeOrRefuse } from '../../limits/take-or-refuse.js';

/** Guard of the public documents, which are large: the limit of the address. */
@Injectable()
export class DocumentGuard {
  constructor(
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly settings: PlatformSettingsHolder,
    private readonly http: HttpSettings,
  ) {}

  async enter(request: FastifyRequest): Promise<void> {
    const ip = clientIpOf(request, this.http.trustedProxies);
    const counter = documentCounter(ip, this.settings.current);
    await takeOrRefuse(this.limiter, [counter], 'rate_limit_exceeded');
  }
}
