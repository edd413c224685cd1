import { createHash } from 'node:crypto';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { openApiDocument } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { renderReference } from './reference-page.policy.js';

/** The page holds everything it shows: nothing is fetched, and no script runs. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

/** `/openapi.json`, and the same for people at `/docs`. Both are made once and are public. */
@Controller()
export class ReferenceController {
  private readonly document = openApiDocument();
  private readonly text = JSON.stringify(this.document);
  private readonly page = renderReference(this.document);

  @Get('openapi.json')
  openApi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.header('access-control-allow-origin', '*');
    answer(request, reply, JSON_TYPE, this.text);
  }

  @Get('docs')
  docs(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.header('content-security-policy', PAGE_POLICY);
    answer(request, reply, HTML_TYPE, this.page);
  }
}

function answer(request: FastifyRequest, reply: FastifyReply, type: string, text: string): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  reply.header('cache-control', 'public, max-age=300').header('etag', etag);
  if (request.headers['if-none-match'] === etag) {
    reply.code(304).send();
    return;
  }
  reply.code(200).header('content-type', type).send(text);
}
