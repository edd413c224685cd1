import { Controller, Inject, Req, Res } from '@nestjs/common';
import { ApiError, ERROR_MESSAGES, routes } from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallbackGuard, countRefusedCallback } from '../../edge/guards/callback.guard.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { takeOfMinute } from '../../limits/take-or-refuse.js';
import { PublishEmailReportsHandler } from '../../messages/email/publish-email-reports.handler.js';
import { PublishReportsHandler } from '../../messages/publish-reports.handler.js';

/** Ten thousand a second: a bound, not a brake. Carriers are few and send in bursts. */
const REPORTS_PER_MINUTE = 600_000;

/**
 * `/callbacks/<account>/<secret>?mid=<message id>&attempt=<number>`: carriers' delivery reports and
 * inbound messages. They are verified, published and answered; dispatch applies them.
 */
@Controller()
export class CallbackController {
  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    @Inject(CallbackGuard) private readonly guard: CallbackGuard,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    @Inject(PublishReportsHandler) private readonly publishing: PublishReportsHandler,
    private readonly emailReports: PublishEmailReportsHandler,
  ) {}

  @Operation(routes.receiveCallback)
  async receive(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { account, carrier, read } = this.guard.entryPointOf(request);
    const result = await read({
      method: request.method,
      url: this.publicUrl(request),
      headers: request.headers,
      query: textQuery(request.query),
      rawBody: typeof request.body === 'string' ? request.body : '',
    });
    if (result.verdict === 'forged' || result.verdict === 'malformed') {
      countRefusedCallback({ carrier, cause: result.verdict });
      return this.guard.fail(request, errorOf(result.verdict));
    }
    if ('isPartial' in result) countRefusedCallback({ carrier, cause: 'malformed' });
    await takeOfMinute(this.limiter, `callbacks:${account}`, REPORTS_PER_MINUTE);
    if (result.verdict === 'reports') await this.publishing.publish(account, result.reports);
    else if (result.verdict === 'inbound') {
      await this.publishing.publishInbound(account, result.messages);
    } else await this.emailReports.publish(account, result.reports);
    reply.code(200).header('content-type', 'text/plain; charset=utf-8').send('OK');
  }

  @Operation(routes.receiveQueryCallback)
  receiveQuery(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.receive(request, reply);
  }

  /** Returns the URL as the carrier knows it, which may be a proxy's. Signatures cover it. */
  private publicUrl(request: FastifyRequest): string {
    const base = this.platform.config.callbackBaseUrl;
    const origin = base === '' ? `http://${request.headers.host}` : base.replace(/\/$/, '');
    return `${origin}${request.originalUrl}`;
  }
}

function errorOf(verdict: 'forged' | 'malformed'): ApiError {
  if (verdict === 'malformed') return new ApiError('validation_error');
  return new ApiError('authentication_error', { message: ERROR_MESSAGES.callbackForged });
}

/** Returns the first value of each name. Fastify gives arrays for repeated ones. */
function textQuery(query: unknown): Record<string, string> {
  const entries = Object.entries(query as Record<string, string | string[]>);
  return Object.fromEntries(entries.map(([name, value]) => [name, String([value].flat()[0])]));
}
