import { Controller, Get, Inject, Patch, Post, Req, Res } from '@nestjs/common';
import { ChangeWorkspaceBody, CreateWorkspaceBody, PageQuery } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileBody, compileQuery } from '../../edge/pipes/validation.policy.js';
import {
  BILLING_COUNTRY_DEFAULT,
  CreateWorkspaceHandler,
} from '../../accounts/workspaces/create-workspace.handler.js';
import { ConfirmWorkspaceHandler } from '../../accounts/workspaces/confirm-workspace.handler.js';
import { pathId } from '../../accounts/settings/path-id.js';
import { WorkspaceRecords } from '../../accounts/workspaces/workspace-records.handler.js';
import { OperatorEdge } from '../../edge/interceptors/operator-edge.js';

const readCreateBody = compileBody(CreateWorkspaceBody);
const readChangeBody = compileBody(ChangeWorkspaceBody);
const readPageQuery = compileQuery(PageQuery);

type IdParams = { id: string };

@Controller('operator/v1/workspaces')
export class OperatorWorkspacesController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(WorkspaceRecords) private readonly records: WorkspaceRecords,
    @Inject(CreateWorkspaceHandler) private readonly creating: CreateWorkspaceHandler,
    @Inject(ConfirmWorkspaceHandler) private readonly confirming: ConfirmWorkspaceHandler,
  ) {}

  @Post()
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 201, async () => {
      const body = readCreateBody(request.body);
      const created = await this.creating.createWithKeys({
        name: body.name,
        billingCountry: body.billing_country ?? BILLING_COUNTRY_DEFAULT,
        credits: body.credits ?? 0,
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
        effect: { workspace_id: workspace.id, name: workspace.name, credits: body.credits ?? 0 },
      };
    });
  }

  @Get()
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () =>
      this.records.list(readPageQuery(request.query)),
    );
  }

  @Get(':id')
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => ({
      body: await this.records.read((request.params as IdParams).id),
    }));
  }

  @Patch(':id')
  change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const patch = readChangeBody(request.body);
      return this.records.change(pathId((request.params as IdParams).id), patch);
    });
  }

  @Post(':id/confirm')
  confirm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { id } = request.params as IdParams;
    return this.edge.answer(request, reply, 200, () => this.confirming.confirm(id));
  }
}
