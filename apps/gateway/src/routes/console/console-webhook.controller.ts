import { Controller, Delete, Get, Inject, Post, Put, Req, Res } from '@nestjs/common';
import { PageQuery, PutWebhookBody } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileBody, compileQuery } from '../../edge/pipes/validation.policy.js';
import { WorkspaceWebhookHandler } from '../../webhooks/workspace-webhook.handler.js';
import { ConsoleEdge } from '../../edge/interceptors/console-edge.js';

const readPutBody = compileBody(PutWebhookBody);
const readPageQuery = compileQuery(PageQuery);

@Controller('dashboard/webhook')
export class ConsoleWebhookController {
  constructor(
    @Inject(ConsoleEdge) private readonly edge: ConsoleEdge,
    @Inject(WorkspaceWebhookHandler) private readonly webhook: WorkspaceWebhookHandler,
  ) {}

  @Get()
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, ({ workspaceId }) =>
      this.webhook.get(workspaceId),
    );
  }

  @Put()
  put(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, ({ workspaceId }) =>
      this.webhook.put(workspaceId, readPutBody(request.body)),
    );
  }

  @Delete()
  remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 204, ({ workspaceId }) =>
      this.webhook.remove(workspaceId),
    );
  }

  @Post('rotate-secret')
  rotateSecret(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, ({ workspaceId }) =>
      this.webhook.rotateSecret(workspaceId),
    );
  }

  @Post('test')
  test(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, ({ workspaceId }) =>
      this.webhook.test(workspaceId),
    );
  }

  @Get('deliveries')
  deliveries(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, ({ workspaceId }) =>
      this.webhook.deliveries(workspaceId, readPageQuery(request.query)),
    );
  }
}
