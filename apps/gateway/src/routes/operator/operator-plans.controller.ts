import { Controller, Inject } from '@nestjs/common';
import {
  ApiError,
  type BillingCalls,
  inputMessage,
  type Plan,
  type PutPlanBody,
  routes,
  unknownResource,
} from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Workspace } from '../../accounts/workspaces/workspace.js';
import { BILLING } from '../../calls/billing-calls.js';
import { ExistingWorkspace } from '../../edge/pipes/existing-workspace.pipe.js';
import { Body, Id } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';

/** Monthly quotas of a workspace, and the rest of each. */
@Controller()
export class OperatorPlansController {
  constructor(@Inject(BILLING) private readonly billing: BillingCalls) {}

  @Operation(routes.getPlan)
  async get(@Id(ExistingWorkspace) { id }: Workspace): Promise<Outcome<Plan>> {
    return { body: existing(await this.billing.getPlan({ workspace_id: id })) };
  }

  @Operation(routes.putPlan)
  async set(
    @Id(ExistingWorkspace) { id }: Workspace,
    @Body() body: PutPlanBody,
  ): Promise<Outcome<Plan>> {
    if (Object.keys(body).length === 0) throw quotaMissing();
    const plan = {
      workspace_id: id,
      sms_segments_per_month: body.sms_segments_per_month ?? 0,
      emails_per_month: body.emails_per_month ?? 0,
    };
    return { body: existing(await this.billing.setPlan(plan)), effect: plan };
  }

  @Operation(routes.deletePlan)
  async delete(@Id(ExistingWorkspace) { id }: Workspace): Promise<Outcome> {
    const plan = { workspace_id: id, sms_segments_per_month: 0, emails_per_month: 0 };
    existing(await this.billing.setPlan(plan));
    return { effect: plan };
  }
}

function quotaMissing(): ApiError {
  const field = 'sms_segments_per_month';
  return new ApiError('validation_error', { field, message: inputMessage(field, 'required') });
}

function existing(plan: Plan | null): Plan {
  if (!plan) throw unknownResource('credit_account');
  return plan;
}
