import { Inject, Injectable } from '@nestjs/common';
import type { WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/** Free units of a workspace per month, used before the wallet pays. Zero means none. */
export interface Quotas {
  smsSegments: number;
  emails: number;
}

export interface PlanRow extends Quotas {
  smsSegmentsLeft: number;
  emailsLeft: number;
}

/** An unused grant has no row: it is as large as the plan says. */
const find = statement(
  'billing.find-plan',
  `SELECT coalesce(sms_segments_per_month, 0) AS "smsSegments",
     coalesce(emails_per_month, 0) AS emails,
     coalesce(sms.granted - sms.used, sms_segments_per_month, 0) AS "smsSegmentsLeft",
     coalesce(email.granted - email.used, emails_per_month, 0) AS "emailsLeft"
   FROM billing.accounts AS account
   LEFT JOIN billing.grants AS sms
     ON sms.workspace_id = account.workspace_id AND sms.unit = 'sms_segment' AND sms.month = $2
   LEFT JOIN billing.grants AS email
     ON email.workspace_id = account.workspace_id AND email.unit = 'email' AND email.month = $2
   WHERE account.workspace_id = $1`,
);

const change = statement(
  'billing.change-plan',
  `UPDATE billing.accounts SET sms_segments_per_month = $2, emails_per_month = $3
   WHERE workspace_id = $1`,
);

const regrant = statement(
  'billing.change-grants',
  `UPDATE billing.grants
   SET granted = greatest(used, CASE unit WHEN 'sms_segment' THEN $3::bigint ELSE $4::bigint END)
   WHERE workspace_id = $1 AND month = $2`,
);

/** Plans and grants. A month is named by its first day in UTC: `2026-11-01`. */
@Injectable()
export class PlanStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async find(workspaceId: WorkspaceId, month: string): Promise<PlanRow | undefined> {
    return (await this.database.query<PlanRow>(find, [workspaceId, month])).rows[0];
  }

  /**
   * Locks the account, and with it the grants, until the transaction ends. Returns false without
   * one.
   */
  async change(workspaceId: WorkspaceId, { smsSegments, emails }: Quotas): Promise<boolean> {
    const { rowCount } = await this.database.query(change, [workspaceId, smsSegments, emails]);
    return rowCount === 1;
  }

  /** Sets the month's grants to the plan, but never below what was used. */
  async regrant(workspaceId: WorkspaceId, month: string, { smsSegments, emails }: Quotas) {
    await this.database.query(regrant, [workspaceId, month, smsSegments, emails]);
  }
}
