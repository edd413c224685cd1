import { Controller, Inject } from '@nestjs/common';
import {
  ApiError,
  type Clock,
  inputMessage,
  type Outcome,
  type Plan,
  type PutPlanBody,
  routes,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import {
  Body,
  Caller,
  CLOCK,
  DATABASE,
  Operation,
  type WorkspaceCaller,
} from '@watchword/platform';
import type { DatabasePool } from '@watchword/postgres';
import { firstDayOf, monthOf } from './month.js';
import { type PlanRow, PlanStore } from './plan.store.js';

/** Monthly quotas, which are used before the wallet pays. */
@Controller()
export class PlansController {
  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Operation(routes.getPlan)
  async get(@Caller() { workspace_id: workspaceId }: WorkspaceCaller): Promise<Outcome<Plan>> {
    const month = monthOf(this.clock.now());
    const row = await new PlanStore(this.pool).find(workspaceId, firstDayOf(month));
    return { body: toPlan(row, month) };
  }

  @Operation(routes.putPlan)
  async put(
    @Caller() { workspace_id }: WorkspaceCaller,
    @Body() body: PutPlanBody,
  ): Promise<Outcome<Plan>> {
    if (Object.keys(body).length === 0) throw quotaMissing();
    const { sms_segments_per_month = 0, emails_per_month = 0 } = body;
    const plan = await this.set(workspace_id, sms_segments_per_month, emails_per_month);
    return { body: plan, effect: { workspace_id, sms_segments_per_month, emails_per_month } };
  }

  @Operation(routes.deletePlan)
  async delete(@Caller() { workspace_id }: WorkspaceCaller): Promise<Outcome> {
    await this.set(workspace_id, 0, 0);
    return { effect: { workspace_id, sms_segments_per_month: 0, emails_per_month: 0 } };
  }

  /** Takes effect in the current month. What is used stays used. */
  private async set(workspaceId: WorkspaceId, smsSegments: number, emails: number): Promise<Plan> {
    const quotas = { smsSegments, emails };
    const changed = await this.pool.transaction(async (transaction) => {
      const plans = new PlanStore(transaction);
      if (!(await plans.change(workspaceId, quotas))) throw unknownResource('credit_account');
      // Read under the lock: an acceptance before it may have made the grants of a new month.
      const month = monthOf(this.clock.now());
      await plans.regrant(workspaceId, firstDayOf(month), quotas);
      crashPoint('billing.set-plan.before-commit');
      return toPlan(await plans.find(workspaceId, firstDayOf(month)), month);
    });
    crashPoint('billing.set-plan.after-commit');
    return changed;
  }
}

function quotaMissing(): ApiError {
  const field = 'sms_segments_per_month';
  return new ApiError('validation_error', { field, message: inputMessage(field, 'required') });
}

function toPlan(row: PlanRow | undefined, month: string): Plan {
  if (row === undefined) throw unknownResource('credit_account');
  return {
    sms_segments_per_month: row.smsSegments,
    emails_per_month: row.emails,
    month,
    sms_segments_left: row.smsSegmentsLeft,
    emails_left: row.emailsLeft,
  };
}
