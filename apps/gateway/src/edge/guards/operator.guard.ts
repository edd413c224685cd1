import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { HttpSettings, SecuritySettings } from '@watchword/config';
import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';
import type { RateLimiter } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import { readBearer } from '../../accounts/keys/api-token.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { takeOrRefuse } from '../../limits/take-or-refuse.js';

const CALLS_PER_MINUTE = 6_000;
const FAILURES_PER_MINUTE = 20;
const MINUTE = 60;

/** Guard of `/operator/v1`, which does not exist while no token is set. */
@Injectable()
export class OperatorGuard {
  private readonly expected: Buffer | null;

  constructor(
    { operatorToken }: SecuritySettings,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly http: HttpSettings,
  ) {
    this.expected = operatorToken === '' ? null : digest(operatorToken);
  }

  get isOpen(): boolean {
    return this.expected !== null;
  }

  async enter(request: FastifyRequest): Promise<void> {
    if (this.expected === null) throw new ApiError('not_found');
    const ip = clientIpOf(request, this.http.trustedProxies);
    const token = readBearer(request.headers.authorization) ?? '';
    if (timingSafeEqual(digest(token), this.expected)) {
      await this.count(`operator:${ip}`, CALLS_PER_MINUTE);
      return;
    }
    await this.count(`operator-failure:${ip}`, FAILURES_PER_MINUTE);
    throw new ApiError('authentication_error', {
      message: ERROR_MESSAGES.operatorToken,
    });
  }

  private count(key: string, limit: number): Promise<void> {
    const counter = { key, limit, windowSeconds: MINUTE };
    return takeOrRefuse(this.limiter, [counter], 'rate_limit_exceeded');
  }
}

/** Digests have one length, so the comparison does not reveal the token's length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
