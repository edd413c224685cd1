import { Controller, Delete, Get, Inject, Post, Put, Req, Res } from '@nestjs/common';
import { ApiError, PageQuery, PutWebhookBody, type WebhooksCalls } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileBody, compileQuery } from '../http/validation.policy.js';
import { WEBHOOKS } from '../tokens.js';
import { WorkspaceStore } from '../workspaces/workspace.store.js';
import { OperatorEdge } from './operator-edge.js';
import { badCursor } from './page.policy.js';
import { existingWorkspace } from './workspace-lookup.js';

const readPutBody = compileBody(PutWebhookBody);
const readPageQuery = compileQuery(PageQuery);

/** The one webhook of a workspace, which speaks variant A. */
@Controller('operator/v1/workspaces/:id/webhook')
export class OperatorWebhookController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore,
    @Inject(WEBHOOKS) private readonly webhooks: WebhooksCalls,
  ) {}

  @Put()
  put(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const { url, events } = readPutBody(request.body);
      const id = await this.workspaceId(request);
      const wanted = { workspace_id: id, url, events: events ?? null };
      const result = await this.webhooks.putWorkspaceEndpoint(wanted);
      if (result.verdict === 'refused') {
        const { field, message } = result;
        throw new ApiError('validation_error', { field, message });
      }
      const { endpoint } = result;
      return {
        body: { url: endpoint.url, events: endpoint.events, secret: endpoint.secret },
        effect: { workspace_id: id, url: endpoint.url, events: endpoint.events },
      };
    });
  }

  @Delete()
  remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 204, async () => {
      const id = await this.workspaceId(request);
      const { deleted } = await this.webhooks.deleteWorkspaceEndpoint({ workspace_id: id });
      if (!deleted) throw new ApiError('not_found');
      return { effect: { workspace_id: id } };
    });
  }

  @Post('rotate-secret')
  rotate(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const id = await this.workspaceId(request);
      const result = await this.webhooks.rotateWorkspaceSecret({ workspace_id: id });
      if ('verdict' in result) throw new ApiError('not_found');
      const { secret, previous_expires_at } = result;
      return {
        body: { secret, previous_expires_at },
        effect: { workspace_id: id, previous_expires_at },
      };
    });
  }

  @Get('deliveries')
  deliveries(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const query = readPageQuery(request.query);
      const id = await this.workspaceId(request);
      const page = await this.webhooks.listDeliveries({ workspace_id: id, ...query });
      if ('verdict' in page) throw badCursor();
      return { body: page };
    });
  }

  private async workspaceId(request: FastifyRequest): Promise<string> {
    const { id } = request.params as { id: string };
    return (await existingWorkspace(this.workspaces, id)).id;
  }
}
