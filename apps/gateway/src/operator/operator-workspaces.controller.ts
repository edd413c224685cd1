import { Controller, Get, Inject, Patch, Post, Req, Res } from '@nestjs/common';
import {
  ApiError,
  type BillingCalls,
  ChangeWorkspaceBody,
  CreateWorkspaceBody,
  PageQuery,
} from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyDirectory } from '../auth/key-directory.port.js';
import { compileBody, compileQuery } from '../http/validation.policy.js';
import { BILLING, KEY_DIRECTORY } from '../tokens.js';
import { CreateWorkspaceHandler } from '../workspaces/create-workspace.handler.js';
import {
  checkCountry,
  checkSettings,
  mergeSettings,
} from '../workspaces/workspace-settings.policy.js';
import type { Workspace } from '../workspaces/workspace.js';
import { WorkspaceStore } from '../workspaces/workspace.store.js';
import { workspaceAnswer } from './operator-answers.policy.js';
import { OperatorEdge } from './operator-edge.js';
import { readPage } from './page.policy.js';
import { existingWorkspace, pathId } from './workspace-lookup.js';

const readCreateBody = compileBody(CreateWorkspaceBody);
const readChangeBody = compileBody(ChangeWorkspaceBody);
const readPageQuery = compileQuery(PageQuery);

const BILLING_COUNTRY_DEFAULT = 'NG';

type IdParams = { id: string };

@Controller('operator/v1/workspaces')
export class OperatorWorkspacesController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore,
    @Inject(CreateWorkspaceHandler) private readonly creating: CreateWorkspaceHandler,
    @Inject(BILLING) private readonly billing: BillingCalls,
    @Inject(KEY_DIRECTORY) private readonly keys: KeyDirectory,
  ) {}

  @Post()
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 201, async () => {
      const body = readCreateBody(request.body);
      const billingCountry = body.billing_country ?? BILLING_COUNTRY_DEFAULT;
      checkCountry(billingCountry, 'billing_country');
      checkSettings(body.settings ?? {});
      const created = await this.creating.create({
        name: body.name,
        billingCountry,
        credits: body.credits ?? 0,
        settings: mergeSettings({}, body.settings ?? {}),
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
    return this.edge.answer(request, reply, 200, async () => {
      const query = readPageQuery(request.query);
      const read = (limit: number, beforeId: string | null) =>
        this.workspaces.list(limit, beforeId);
      return { body: await readPage(query, read, (rows) => this.withAccounts(rows)) };
    });
  }

  @Get(':id')
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const { id } = request.params as IdParams;
      const workspace = await existingWorkspace(this.workspaces, id);
      return { body: (await this.withAccounts([workspace]))[0] };
    });
  }

  @Patch(':id')
  change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const { name, settings } = readChangeBody(request.body);
      checkSettings(settings ?? {});
      const id = pathId((request.params as IdParams).id);
      const workspace = await this.workspaces.change(id, { name, settings });
      if (!workspace) throw new ApiError('not_found');
      await this.keys.workspaceChanged(id);
      return {
        body: (await this.withAccounts([workspace]))[0],
        effect: { workspace_id: id, name, settings },
      };
    });
  }

  private async withAccounts(workspaces: Workspace[]) {
    const ids = workspaces.map((workspace) => workspace.id);
    const { accounts } = await this.billing.getAccounts({ workspace_ids: ids });
    const byWorkspace = new Map(accounts.map((account) => [account.workspace_id, account]));
    return workspaces.map((workspace) => workspaceAnswer(workspace, byWorkspace.get(workspace.id)));
  }
}
