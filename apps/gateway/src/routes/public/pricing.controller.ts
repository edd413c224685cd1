import { Controller, Inject, Req, Res } from '@nestjs/common';
import { routes } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublicPriceListCache } from '../../billing/price-list.cache.js';
import { Operation } from '../../edge/server/operation.decorator.js';

@Controller()
export class PricingController {
  constructor(@Inject(PublicPriceListCache) private readonly prices: PublicPriceListCache) {}

  @Operation(routes.listPrices)
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { body, etag } = await this.prices.get();
    reply.header('cache-control', 'public, max-age=60').header('etag', etag);
    if (isFresh(request.headers['if-none-match'], etag)) {
      reply.code(304).send();
      return;
    }
    reply.code(200).header('content-type', 'application/json; charset=utf-8').send(body);
  }
}

/** Compares weakly, as RFC 9110 defines it for If-None-Match. */
function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
