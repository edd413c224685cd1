import { Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { CreateKeyBody, PageQuery } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeysHandler } from '../../accounts/keys/api-keys.handler.js';
import { compileBody, compileQuery } from '../../edge/pipes/validation.policy.js';
import { ConsoleEdge } from '../../edge/interceptors/console-edge.js';

const readCreateBody = compileBody(CreateKeyBody);
const readPageQuery = compileQuery(PageQuery);

@Controller('dashboard/keys')
export class ConsoleKeysController {
  constructor(
    @Inject(ConsoleEdge) private readonly edge: ConsoleEdge,
    @Inject(ApiKeysHandler) private readonly keys: ApiKeysHandler,
  ) {}

  @Get()
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, ({ workspaceId }) =>
      this.keys.list(workspaceId, readPageQuery(request.query)),
    );
  }

  @Post()
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 201, ({ workspaceId }) =>
      this.keys.create(workspaceId, readCreateBody(request.body)),
    );
  }

  @Delete(':id')
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { id } = request.params as { id: string };
    return this.edge.answer(request, reply, 204, ({ workspaceId }) =>
      this.keys.revoke(id, workspaceId),
    );
  }
}
