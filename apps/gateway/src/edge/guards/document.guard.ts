import type { RateLimiter } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import { clientIpOf } from '../../limits/client-ip.js';
import { documentCounter } from '../../limits/limit-table.policy.js';
import type { PlatformSettingsHolder } from '../../limits/platform-settings.js';
import { takeOrRefuse } from '../../limits/take-or-refuse.js';

/** The way to the public documents, which are large: the limit of the address. */
export class DocumentGuard {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: PlatformSettingsHolder,
    private readonly trustedProxies: number,
  ) {}

  async enter(request: FastifyRequest): Promise<void> {
    const ip = clientIpOf(request, this.trustedProxies);
    const counter = documentCounter(ip, this.settings.current);
    await takeOrRefuse(this.limiter, [counter], 'rate_limit_exceeded');
  }
}
