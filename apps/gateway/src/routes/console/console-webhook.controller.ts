import { Controller, Inject } from '@nestjs/common';
import { type PageQuery, type PutWebhookBody, routes } from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Member as Person } from '../../people/account.js';
import { Body, Member, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { WorkspaceWebhookHandler } from '../../webhooks/workspace-webhook.handler.js';

@Controller()
export class ConsoleWebhookController {
  constructor(@Inject(WorkspaceWebhookHandler) private readonly webhook: WorkspaceWebhookHandler) {}

  @Operation(routes.getOwnWebhook)
  get(@Member() { workspaceId }: Person): Promise<Outcome> {
    return this.webhook.get(workspaceId);
  }

  @Operation(routes.putOwnWebhook)
  put(@Member() { workspaceId }: Person, @Body() body: PutWebhookBody): Promise<Outcome> {
    return this.webhook.put(workspaceId, body);
  }

  @Operation(routes.deleteOwnWebhook)
  remove(@Member() { workspaceId }: Person): Promise<Outcome> {
    return this.webhook.remove(workspaceId);
  }

  @Operation(routes.rotateOwnWebhookSecret)
  rotateSecret(@Member() { workspaceId }: Person): Promise<Outcome> {
    return this.webhook.rotateSecret(workspaceId);
  }

  @Operation(routes.testOwnWebhook)
  test(@Member() { workspaceId }: Person): Promise<Outcome> {
    return this.webhook.test(workspaceId);
  }

  @Operation(routes.listOwnWebhookDeliveries)
  deliveries(@Member() { workspaceId }: Person, @Query() query: PageQuery): Promise<Outcome> {
    return this.webhook.deliveries(workspaceId, query);
  }
}
