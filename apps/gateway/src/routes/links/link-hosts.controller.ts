import { Controller, Inject, Req, Res } from '@nestjs/common';
import { linkHostsSecretOf } from '@watchword/carriers';
import { ApiError, isSameSecret, routes } from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Operation } from '../../edge/server/operation.decorator.js';
import { clientIpOf } from '../../limits/client-ip.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { takeOfMinute } from '../../limits/take-or-refuse.js';
import { LinkHostsHandler } from '../../registrations/link-hosts.handler.js';

/** Any client opens connections under any name, and a proxy asks for each. */
const QUESTIONS_PER_MINUTE = 6_000;
const FAILURES_PER_MINUTE = 100;

/**
 * `/link-hosts/<secret>?domain=<host>`: whether a proxy should get a certificate for a host name, as the `ask` of
 * Caddy's on-demand TLS needs it. The secret comes from `CALLBACK_SECRET`; without it every answer
 * is 404.
 */
@Controller()
export class LinkHostsController {
  private readonly secrets: readonly string[];

  constructor(
    @Inject(PLATFORM) private readonly platform: Pick<Platform, 'config'>,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly hosts: LinkHostsHandler,
  ) {
    this.secrets = platform.config.callbackSecrets.map(linkHostsSecretOf);
  }

  @Operation(routes.askLinkHost)
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { secret } = request.params as { secret: string };
    const { domain } = request.query as { domain?: unknown };
    if (!this.secrets.some((known) => isSameSecret(secret, known))) {
      await takeOfMinute(this.limiter, this.failuresOf(request), FAILURES_PER_MINUTE);
    } else {
      await takeOfMinute(this.limiter, 'link-hosts', QUESTIONS_PER_MINUTE);
      if (typeof domain === 'string' && (await this.hosts.isVerified(domain))) {
        reply.code(200).header('cache-control', 'no-store').type('text/plain').send('OK');
        return;
      }
    }
    throw new ApiError('not_found');
  }

  private failuresOf(request: FastifyRequest): string {
    return `link-hosts-failure:${clientIpOf(request, this.platform.config.trustedProxies)}`;
  }
}
