import { type BillingCalls, type Clock, isUuid } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import type { DatabasePool } from '@watchword/postgres';
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
    const month = this.month();
    return toPlan(await new PlanStore(this.pool).find(workspaceId, firstDayOf(month)), month);
  };

  setPlan: BillingCalls['setPlan'] = async (request) => {
    const { workspace_id: workspaceId } = request;
    if (!isUuid(workspaceId)) return null;
    const quotas = {
      smsSegments: request.sms_segments_per_month,
      emails: request.emails_per_month,
    };
    const month = this.month();
    const changed = await this.pool.transaction(async (transaction) => {
      const plans = new PlanStore(transaction);
      if (!(await plans.change(workspaceId, quotas))) return undefined;
      await plans.regrant(workspaceId, firstDayOf(month), quotas);
      crashPoint('billing.set-plan.before-commit');
      return plans.find(workspaceId, firstDayOf(month));
    });
    return toPlan(changed, month);
  };

  /** In UTC, as the acceptance transaction reckons it. */
  private month(): string {
    return new Date(this.clock.now()).toISOString().slice(0, 'yyyy-mm'.length);
  }
}

function firstDayOf(month: string): string {
  return `${month}-01`;
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
