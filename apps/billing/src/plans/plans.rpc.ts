import { type BillingCalls, type Clock, isUuid } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import type { DatabasePool } from '@watchword/postgres';
import { firstDayOf, monthOf } from './month.js';
import { type PlanRow, PlanStore } from './plan.store.js';

type Plan = NonNullable<Awaited<ReturnType<BillingCalls['getPlan']>>>;

/** Monthly quotas: what may be used before the wallet pays. */
export class PlansRpc {
  constructor(
    private readonly pool: DatabasePool,
    private readonly clock: Clock,
  ) {}

  getPlan: BillingCalls['getPlan'] = async ({ workspace_id: workspaceId }) => {
    if (!isUuid(workspaceId)) return null;
    const month = monthOf(this.clock.now());
    return toPlan(await new PlanStore(this.pool).find(workspaceId, firstDayOf(month)), month);
  };

  setPlan: BillingCalls['setPlan'] = async (request) => {
    const { workspace_id: workspaceId } = request;
    if (!isUuid(workspaceId)) return null;
    const quotas = {
      smsSegments: request.sms_segments_per_month,
      emails: request.emails_per_month,
    };
    const month = monthOf(this.clock.now());
    const changed = await this.pool.transaction(async (transaction) => {
      const plans = new PlanStore(transaction);
      if (!(await plans.change(workspaceId, quotas))) return undefined;
      await plans.regrant(workspaceId, firstDayOf(month), quotas);
      crashPoint('billing.set-plan.before-commit');
      return plans.find(workspaceId, firstDayOf(month));
    });
    crashPoint('billing.set-plan.after-commit');
    return toPlan(changed, month);
  };
}

function toPlan(row: PlanRow | undefined, month: string): Plan | null {
  return row === undefined
    ? null
    : {
        sms_segments_per_month: row.smsSegments,
        emails_per_month: row.emails,
        month,
        sms_segments_left: row.smsSegmentsLeft,
        emails_left: row.emailsLeft,
      };
}
