import { Controller, Query, Req, Res } from '@nestjs/common';
import {
  asOpenApi30,
  type Audience,
  openApiDocument,
  type OpenApiQuery,
  type OpenApiVersion,
  routes,
} from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Operation } from '../../edge/server/operation.decorator.js';
import { answer, documentOf, type PublicDocument } from './public-document.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const CACHED = 'public, max-age=300';

/**
 * The OpenAPI documents, which `/docs/api` shows to people. All are public. Each is made once, at its first
 * request: no start waits for it, and no process keeps what no client reads.
 */
@Controller()
export class ReferenceController {
  private readonly descriptions = new Map<`${Audience} ${OpenApiVersion}`, PublicDocument>();

  @Operation(routes.getOpenApi)
  forKeys(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: OpenApiQuery,
  ): void {
    this.describe('keys', query, request, reply);
  }

  @Operation(routes.getDashboardOpenApi)
  ofDashboard(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: OpenApiQuery,
  ): void {
    this.describe('dashboard', query, request, reply);
  }

  @Operation(routes.getOperatorOpenApi)
  ofOperators(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: OpenApiQuery,
  ): void {
    this.describe('operator', query, request, reply);
  }

  private describe(
    audience: Audience,
    { version = '3.1' }: OpenApiQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    reply.header('access-control-allow-origin', '*');
    const name = `${audience} ${version}` as const;
    const known = this.descriptions.get(name) ?? described(audience, version);
    this.descriptions.set(name, known);
    answer(request, reply, known, CACHED);
  }
}

function described(audience: Audience, version: OpenApiVersion): PublicDocument {
  const document = openApiDocument(audience);
  return documentOf(
    JSON_TYPE,
    JSON.stringify(version === '3.0' ? asOpenApi30(document) : document),
  );
}
