import { Controller, Req, Res } from '@nestjs/common';
import { openApiDocument, routes } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Operation } from '../../edge/server/operation.decorator.js';
import { answer, documentOf, HTML_TYPE, type PublicDocument } from './public-document.js';
import { renderReference } from './reference-page.policy.js';

/** The page contains everything it shows: nothing is fetched, and no script runs. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const JSON_TYPE = 'application/json; charset=utf-8';
const CACHED = 'public, max-age=300';

/**
 * `/openapi.json`, and the same for people at `/docs`. Both are public. Each is made once, at its first
 * request: no start waits for it, and no process keeps what no client reads.
 */
@Controller()
export class ReferenceController {
  private description: PublicDocument | undefined;
  private page: PublicDocument | undefined;

  @Operation(routes.getOpenApi)
  openApi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.header('access-control-allow-origin', '*');
    this.description ??= documentOf(JSON_TYPE, JSON.stringify(openApiDocument()));
    answer(request, reply, this.description, CACHED);
  }

  @Operation(routes.getReference)
  docs(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.header('content-security-policy', PAGE_POLICY);
    this.page ??= documentOf(HTML_TYPE, renderReference(openApiDocument()));
    answer(request, reply, this.page, CACHED);
  }
}
