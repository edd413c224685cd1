import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';
import type { RateLimiter } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import { readBearer } from '../../accounts/keys/api-token.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { takeOrRefuse } from '../../limits/take-or-refuse.js';

const CALLS_PER_MINUTE = 6_000;
const FAILURES_PER_MINUTE = 20;
const MINUTE = 60;

/** The way into `/operator/v1`, which is not there at all while no token is set. */
export class OperatorGuard {
  private readonly expected: Buffer | null;

  constructor(
    operatorToken: string,
    private readonly limiter: RateLimiter,
    private readonly trustedProxies: number,
  ) {
    this.expected = operatorToken === '' ? null : digest(operatorToken);
  }

  get isOpen(): boolean {
    return this.expected !== null;
  }

  async enter(request: FastifyRequest): Promise<void> {
    if (this.expected === null) throw new ApiError('not_found');
    const ip = clientIpOf(request, this.trustedProxies);
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

/** Digests have one length, so comparing them tells nothing about the token's. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
