import { Controller, Get, Inject, Put, Req, Res } from '@nestjs/common';
import { ApiError, type BillingCalls, type Plan, PutPlanBody } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileBody } from '../../edge/pipes/validation.policy.js';
import { BILLING } from '../../billing/billing-calls.js';
import { existingWorkspace } from '../../accounts/workspaces/workspace-lookup.js';
import { WorkspaceStore } from '../../accounts/workspaces/workspace.store.js';
import { OperatorEdge } from '../../edge/interceptors/operator-edge.js';

const readPlanBody = compileBody(PutPlanBody);

type IdParams = { id: string };

/** Monthly quotas of a workspace, and what is left of them. */
@Controller('operator/v1/workspaces/:id/plan')
export class OperatorPlansController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore,
    @Inject(BILLING) private readonly billing: BillingCalls,
  ) {}

  @Get()
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const { id } = await existingWorkspace(this.workspaces, (request.params as IdParams).id);
      return { body: existing(await this.billing.getPlan({ workspace_id: id })) };
    });
  }

  @Put()
  set(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const body = readPlanBody(request.body);
      const { id } = await existingWorkspace(this.workspaces, (request.params as IdParams).id);
      const plan = {
        workspace_id: id,
        sms_segments_per_month: body.sms_segments_per_month ?? 0,
        emails_per_month: body.emails_per_month ?? 0,
      };
      return { body: existing(await this.billing.setPlan(plan)), effect: plan };
    });
  }
}

function existing(plan: Plan | null): Plan {
  if (!plan) throw new ApiError('not_found');
  return plan;
}
