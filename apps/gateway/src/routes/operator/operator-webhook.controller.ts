import { Controller, Inject } from '@nestjs/common';
import { type PageQuery, type PutWebhookBody, routes } from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Workspace } from '../../accounts/workspaces/workspace.js';
import { ExistingWorkspace } from '../../edge/pipes/existing-workspace.pipe.js';
import { Body, Id, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { WorkspaceWebhookHandler } from '../../webhooks/workspace-webhook.handler.js';

@Controller()
export class OperatorWebhookController {
  constructor(@Inject(WorkspaceWebhookHandler) private readonly webhook: WorkspaceWebhookHandler) {}

  @Operation(routes.putWorkspaceWebhook)
  put(@Id(ExistingWorkspace) { id }: Workspace, @Body() body: PutWebhookBody): Promise<Outcome> {
    return this.webhook.put(id, body);
  }

  @Operation(routes.deleteWorkspaceWebhook)
  remove(@Id(ExistingWorkspace) { id }: Workspace): Promise<Outcome> {
    return this.webhook.remove(id);
  }

  @Operation(routes.rotateWorkspaceWebhookSecret)
  rotate(@Id(ExistingWorkspace) { id }: Workspace): Promise<Outcome> {
    return this.webhook.rotateSecret(id);
  }

  @Operation(routes.listWorkspaceWebhookDeliveries)
  deliveries(
    @Id(ExistingWorkspace) { id }: Workspace,
    @Query() query: PageQuery,
  ): Promise<Outcome> {
    return this.webhook.deliveries(id, query);
  }
}
