import { Inject, Injectable } from '@nestjs/common';
import { HttpSettings, SecuritySettings } from '@watchword/config';
import { ApiError, ERROR_MESSAGES, isSameSecret } from '@watchword/contracts';
import type { RateLimiter } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import { readBearer } from '../../accounts/keys/api-token.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { takeOfMinute } from '../../limits/take-or-refuse.js';

const CALLS_PER_MINUTE = 6_000;
const FAILURES_PER_MINUTE = 20;

/** Guard of `/operator/v1`, which does not exist while no token is set. */
@Injectable()
export class OperatorGuard {
  constructor(
    private readonly security: SecuritySettings,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly http: HttpSettings,
  ) {}

  get isOpen(): boolean {
    return this.security.operatorToken !== '';
  }

  async enter(request: FastifyRequest): Promise<void> {
    if (!this.isOpen) throw new ApiError('not_found');
    const ip = clientIpOf(request, this.http.trustedProxies);
    const token = readBearer(request.headers.authorization) ?? '';
    if (isSameSecret(token, this.security.operatorToken)) {
      await takeOfMinute(this.limiter, `operator:${ip}`, CALLS_PER_MINUTE);
      return;
    }
    await takeOfMinute(this.limiter, `operator-failure:${ip}`, FAILURES_PER_MINUTE);
    throw new ApiError('authentication_error', {
      message: ERROR_MESSAGES.operatorToken,
    });
  }
}
