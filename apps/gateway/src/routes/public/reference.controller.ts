import { hash } from 'node:crypto';
import { Controller, Req, Res } from '@nestjs/common';
import { openApiDocument, routes } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Operation } from '../../edge/server/operation.decorator.js';
import { renderReference } from './reference-page.policy.js';

/** The page contains everything it shows: nothing is fetched, and no script runs. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

interface Document {
  type: string;
  bytes: Buffer;
  etag: string;
}

/**
 * `/openapi.json`, and the same for people at `/docs`. Both are public. Each is made once, at its first
 * request: no start waits for it, and no process keeps what no client reads.
 */
@Controller()
export class ReferenceController {
  private description: Document | undefined;
  private page: Document | undefined;

  @Operation(routes.getOpenApi)
  openApi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.header('access-control-allow-origin', '*');
    this.description ??= documentOf(JSON_TYPE, JSON.stringify(openApiDocument()));
    answer(request, reply, this.description);
  }

  @Operation(routes.getReference)
  docs(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.header('content-security-policy', PAGE_POLICY);
    this.page ??= documentOf(HTML_TYPE, renderReference(openApiDocument()));
    answer(request, reply, this.page);
  }
}

function documentOf(type: string, text: string): Document {
  const etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
  return { type, bytes: Buffer.from(text), etag };
}

function answer(request: FastifyRequest, reply: FastifyReply, document: Document): void {
  const { type, bytes, etag } = document;
  reply.header('cache-control', 'public, max-age=300').header('etag', etag);
  if (request.headers['if-none-match'] === etag) {
    reply.code(304).send();
    return;
  }
  reply.code(200).header('content-type', type).send(bytes);
}
