import { Inject, Injectable } from '@nestjs/common';
import { HttpSettings, SecuritySettings } from '@watchword/config';
import { ApiError, isSameSecret } from '@watchword/contracts';
import type { RateLimiter } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import { readBearer } from '../../accounts/keys/api-token.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { operatorCounter } from '../../limits/limit-table.policy.js';
import { takeOfMinute, takeOrRefuse } from '../../limits/take-or-refuse.js';
import { readSessionCookie } from '../request/session-cookie.js';
import { noOperator, SessionGuard } from './session.guard.js';

const FAILURES_PER_MINUTE = 20;

/**
 * Guard of `/operator/v1`, which does not exist while no token is set: the token, or the session of a user who is an
 * operator.
 */
@Injectable()
export class OperatorGuard {
  constructor(
    private readonly security: SecuritySettings,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly http: HttpSettings,
    private readonly sessions: SessionGuard,
  ) {}

  get isOpen(): boolean {
    return this.security.operatorToken !== '';
  }

  async enter(request: FastifyRequest): Promise<void> {
    if (!this.isOpen) throw new ApiError('not_found');
    const { authorization } = request.headers;
    if (authorization === undefined && readSessionCookie(request) !== undefined) {
      return this.sessions.enterOperator(request);
    }
    const ip = clientIpOf(request, this.http.trustedProxies);
    const token = readBearer(authorization) ?? '';
    if (isSameSecret(token, this.security.operatorToken)) {
      await takeOrRefuse(this.limiter, [operatorCounter(ip)], 'rate_limit_exceeded');
      return;
    }
    await takeOfMinute(this.limiter, `operator-failure:${ip}`, FAILURES_PER_MINUTE);
    throw noOperator();
  }
}
