import { createHash, timingSafeEqual } from 'node:crypto';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiError } from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { CallbackReader } from '@watchword/carriers';
import type { RateLimiter } from '@watchword/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientIp } from '../../limits/client-ip.js';
import { takeOrRefuse } from '../../limits/take-or-refuse.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { PublishReportsHandler } from '../../messages/publish-reports.handler.js';

const BODY_BYTES_MAX = 64 * 1024;
const MINUTE = 60;
/** Ten thousand a second: a bound, not a brake; carriers are few and send in bursts. */
const REPORTS_PER_MINUTE = 600_000;
const FAILURES_PER_MINUTE = 100;

export const CALLBACK_READERS = Symbol('callback readers');

/**
 * `/callbacks/<provider>/<secret>?mid=<message id>`: carriers' delivery reports. Verified,
 * published, and answered at once; what they mean is dispatch's business. Failures are counted by
 * address and genuine reports by carrier, so that a forger cannot lock a carrier out.
 */
@Controller('callbacks')
export class CallbackController {
  private readonly secretDigest: Buffer | null;

  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    @Inject(CALLBACK_READERS) private readonly readers: ReadonlyMap<string, CallbackReader>,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    @Inject(PublishReportsHandler) private readonly publishing: PublishReportsHandler,
  ) {
    const secret = platform.config.callbackSecret;
    this.secretDigest = secret === '' ? null : digest(secret);
  }

  @Post(':provider/:secret')
  @RouteConfig({ rawBodyBytesMax: BODY_BYTES_MAX })
  async receive(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { provider, secret } = request.params as { provider: string; secret: string };
    const read = this.readers.get(provider);
    if (!this.isSecret(secret) || !read) return this.fail(request, new ApiError('not_found'));
    const result = read({
      method: request.method,
      url: this.publicUrl(request),
      headers: request.headers,
      query: textQuery(request.query),
      rawBody: typeof request.body === 'string' ? request.body : '',
    });
    if (result.verdict === 'forged') {
      const message = 'The signature of the callback is missing or wrong.';
      return this.fail(request, new ApiError('authentication_error', { message }));
    }
    if (result.verdict === 'malformed') {
      return this.fail(request, new ApiError('validation_error'));
    }
    await this.count(`callbacks:${provider}`, REPORTS_PER_MINUTE);
    await this.publishing.publish(provider, result.reports);
    reply.code(200).header('content-type', 'text/plain; charset=utf-8').send('OK');
  }

  private isSecret(given: string): boolean {
    return this.secretDigest !== null && timingSafeEqual(digest(given), this.secretDigest);
  }

  /** Signatures cover the address as the carrier knows it, which may be a proxy's. */
  private publicUrl(request: FastifyRequest): string {
    const base = this.platform.config.callbackBaseUrl;
    const origin = base === '' ? `http://${request.headers.host}` : base.replace(/\/$/, '');
    return `${origin}${request.url}`;
  }

  private async fail(request: FastifyRequest, error: ApiError): Promise<never> {
    const { socket, headers } = request.raw;
    const forwarded = headers['x-forwarded-for'];
    const ip = clientIp(socket.remoteAddress, forwarded, this.platform.config.trustedProxies);
    await this.count(`callback-failure:${ip}`, FAILURES_PER_MINUTE);
    throw error;
  }

  private count(key: string, limit: number): Promise<void> {
    const counter = { key, limit, windowSeconds: MINUTE };
    return takeOrRefuse(this.limiter, [counter], 'rate_limit_exceeded');
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The first value of each name; Fastify gives arrays for repeated ones. */
function textQuery(query: unknown): Record<string, string> {
  const entries = Object.entries(query as Record<string, string | string[]>);
  return Object.fromEntries(entries.map(([name, value]) => [name, String([value].flat()[0])]));
}
