import { Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { CreateKeyBody, PageQuery } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeysHandler } from '../../accounts/keys/api-keys.handler.js';
import { compileBody, compileQuery } from '../../edge/pipes/validation.policy.js';
import { existingWorkspace } from '../../accounts/workspaces/workspace-lookup.js';
import { WorkspaceStore } from '../../accounts/workspaces/workspace.store.js';
import { OperatorEdge } from '../../edge/interceptors/operator-edge.js';

const readCreateBody = compileBody(CreateKeyBody);
const readPageQuery = compileQuery(PageQuery);

type IdParams = { id: string };

@Controller('operator/v1')
export class OperatorKeysController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore,
    @Inject(ApiKeysHandler) private readonly keys: ApiKeysHandler,
  ) {}

  @Post('workspaces/:id/keys')
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 201, async () => {
      const body = readCreateBody(request.body);
      const { id } = await existingWorkspace(this.workspaces, (request.params as IdParams).id);
      return this.keys.create(id, body);
    });
  }

  @Get('workspaces/:id/keys')
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const query = readPageQuery(request.query);
      const { id } = await existingWorkspace(this.workspaces, (request.params as IdParams).id);
      return this.keys.list(id, query);
    });
  }

  @Delete('keys/:id')
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 204, () =>
      this.keys.revoke((request.params as IdParams).id, null),
    );
  }
}
