import { Controller, Inject, Req, Res } from '@nestjs/common';
import { PLATFORM, type Platform } from '@watchword/platform';
import { routes } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Operation } from '../../edge/server/operation.decorator.js';
import { handsetOf } from './handset.js';
import { homeFor, renderHome } from './home-page.policy.js';

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** `/`: a page for browsers, JSON for programs. */
@Controller()
export class HomeController {
  private readonly text: string;
  private readonly page: string;

  constructor(@Inject(PLATFORM) { config }: Platform) {
    const links = { handset: handsetOf(config) };
    this.text = JSON.stringify(homeFor(links));
    this.page = renderHome(links);
  }

  @Operation(routes.getHome)
  home(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.header('vary', 'accept');
    if (request.headers.accept?.includes('text/html')) {
      reply.header('content-security-policy', PAGE_POLICY);
      reply.code(200).header('content-type', 'text/html; charset=utf-8').send(this.page);
    } else {
      reply.code(200).header('content-type', 'application/json; charset=utf-8').send(this.text);
    }
  }
}
