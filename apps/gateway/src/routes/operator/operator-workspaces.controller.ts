import { Controller, Inject } from '@nestjs/common';
import {
  type ChangeWorkspaceBody,
  type CreateWorkspaceBody,
  type Outcome,
  type PageQuery,
  routes,
  type WorkspaceId,
} from '@watchword/contracts';
import { ConfirmWorkspaceHandler } from '../../accounts/workspaces/confirm-workspace.handler.js';
import {
  BILLING_COUNTRY_DEFAULT,
  CreateWorkspaceHandler,
} from '../../accounts/workspaces/create-workspace.handler.js';
import { WorkspaceRecords } from '../../accounts/workspaces/workspace-records.handler.js';
import { Body, Id, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';

@Controller()
export class OperatorWorkspacesController {
  constructor(
    @Inject(WorkspaceRecords) private readonly records: WorkspaceRecords,
    @Inject(CreateWorkspaceHandler) private readonly creating: CreateWorkspaceHandler,
    @Inject(ConfirmWorkspaceHandler) private readonly confirming: ConfirmWorkspaceHandler,
  ) {}

  @Operation(routes.createWorkspace)
  async create(@Body() body: CreateWorkspaceBody): Promise<Outcome> {
    const { credits = 0 } = body;
    const created = await this.creating.createWithKeys({
      name: body.name,
      billingCountry: body.billing_country ?? BILLING_COUNTRY_DEFAULT,
      credits,
      creditsKind: 'bonus',
      origin: 'operator',
      settings: body.settings ?? {},
    });
    const { workspace, balance, liveKey, testKey } = created;
    return {
      body: {
        workspace_id: workspace.id,
        name: workspace.name,
        billing_country: workspace.billingCountry,
        balance,
        settings: workspace.settings,
        live_key: liveKey,
        test_key: testKey,
      },
      effect: { workspace_id: workspace.id, name: workspace.name, credits },
    };
  }

  @Operation(routes.listWorkspaces)
  list(@Query() query: PageQuery): Promise<Outcome> {
    return this.records.list(query);
  }

  @Operation(routes.getWorkspace)
  async get(@Id() id: WorkspaceId): Promise<Outcome> {
    return { body: await this.records.read(id) };
  }

  @Operation(routes.updateWorkspace)
  change(@Id() id: WorkspaceId, @Body() patch: ChangeWorkspaceBody): Promise<Outcome> {
    return this.records.change(id, patch, 'operator');
  }

  @Operation(routes.confirmWorkspace)
  confirm(@Id() id: WorkspaceId): Promise<Outcome> {
    return this.confirming.confirm(id);
  }
}
