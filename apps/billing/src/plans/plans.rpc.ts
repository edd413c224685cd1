import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type BillingCalls,
  billingCalls,
  type Clock,
  isUuid,
  type RequestOf,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { CallPattern, CLOCK, DATABASE } from '@watchword/platform';
import type { DatabasePool } from '@watchword/postgres';
import { firstDayOf, monthOf } from './month.js';
import { type PlanRow, PlanStore } from './plan.store.js';

type Plan = NonNullable<Awaited<ReturnType<BillingCalls['getPlan']>>>;

/** Monthly quotas, which are used before the wallet pays. */
@Controller()
export class PlansRpc {
  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @CallPattern(billingCalls, 'getPlan')
  async getPlan({ workspace_id: workspaceId }: RequestOf<'getPlan'>): AnswerOf<'getPlan'> {
    if (!isUuid(workspaceId)) return null;
    const month = monthOf(this.clock.now());
    return toPlan(await new PlanStore(this.pool).find(workspaceId, firstDayOf(month)), month);
  }

  @CallPattern(billingCalls, 'setPlan')
  async setPlan(request: RequestOf<'setPlan'>): AnswerOf<'setPlan'> {
    const { workspace_id: workspaceId } = request;
    if (!isUuid(workspaceId)) return null;
    const quotas = {
      smsSegments: request.sms_segments_per_month,
      emails: request.emails_per_month,
    };
    const changed = await this.pool.transaction(async (transaction) => {
      const plans = new PlanStore(transaction);
      if (!(await plans.change(workspaceId, quotas))) return null;
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
