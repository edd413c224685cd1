import { Controller, Delete, Get, Inject, Post, Put, Req, Res } from '@nestjs/common';
import { PageQuery, PutWebhookBody } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileBody, compileQuery } from '../../edge/pipes/validation.policy.js';
import { WorkspaceWebhookHandler } from '../../webhooks/workspace-webhook.handler.js';
import { existingWorkspace } from '../../accounts/workspaces/workspace-lookup.js';
import { WorkspaceStore } from '../../accounts/workspaces/workspace.store.js';
import { OperatorEdge } from '../../edge/interceptors/operator-edge.js';

const readPutBody = compileBody(PutWebhookBody);
const readPageQuery = compileQuery(PageQuery);

@Controller('operator/v1/workspaces/:id/webhook')
export class OperatorWebhookController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore,
    @Inject(WorkspaceWebhookHandler) private readonly webhook: WorkspaceWebhookHandler,
  ) {}

  @Put()
  put(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const body = readPutBody(request.body);
      return this.webhook.put(await this.workspaceId(request), body);
    });
  }

  @Delete()
  remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 204, async () =>
      this.webhook.remove(await this.workspaceId(request)),
    );
  }

  @Post('rotate-secret')
  rotate(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () =>
      this.webhook.rotateSecret(await this.workspaceId(request)),
    );
  }

  @Get('deliveries')
  deliveries(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const query = readPageQuery(request.query);
      return this.webhook.deliveries(await this.workspaceId(request), query);
    });
  }

  private async workspaceId(request: FastifyRequest): Promise<string> {
    const { id } = request.params as { id: string };
    return (await existingWorkspace(this.workspaces, id)).id;
  }
}
