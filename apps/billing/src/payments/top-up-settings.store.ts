import type { PaymentProviderName, WorkspaceId } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';

export interface TopUpRow {
  enabled: boolean;
  threshold: number;
  credits: number;
  monthlyCapCredits: number;
  disabledReason: string | null;
}

export interface AuthorisationRow {
  provider: PaymentProviderName;
  payerEmail: string;
  authorisation: Buffer;
  savedAt: Date;
}

const find = statement(
  'billing.find-top-up-settings',
  `SELECT enabled, threshold, credits, monthly_cap_credits AS "monthlyCapCredits",
     disabled_reason AS "disabledReason"
   FROM billing.automatic_top_ups WHERE workspace_id = $1`,
);

const put = statement(
  'billing.put-top-up-settings',
  `INSERT INTO billing.automatic_top_ups (
     workspace_id, enabled, threshold, credits, monthly_cap_credits, updated_at
   ) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id) DO UPDATE
   SET enabled = excluded.enabled, threshold = excluded.threshold, credits = excluded.credits,
     monthly_cap_credits = excluded.monthly_cap_credits, disabled_reason = NULL,
     updated_at = excluded.updated_at`,
);

const switchOff = statement(
  'billing.switch-off-top-up',
  `UPDATE billing.automatic_top_ups SET enabled = false, disabled_reason = $2, updated_at = $3
   WHERE workspace_id = $1 AND enabled`,
);

const findAuthorisation = statement(
  'billing.find-payment-authorisation',
  `SELECT provider, payer_email AS "payerEmail", authorisation, saved_at AS "savedAt"
   FROM billing.payment_authorisations WHERE workspace_id = $1`,
);

const saveAuthorisation = statement(
  'billing.save-payment-authorisation',
  `INSERT INTO billing.payment_authorisations (
     workspace_id, provider, payer_email, authorisation, saved_at
   ) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (workspace_id) DO UPDATE
   SET provider = excluded.provider, payer_email = excluded.payer_email,
     authorisation = excluded.authorisation, saved_at = excluded.saved_at`,
);

/** Charges in flight count, failed ones do not, unless the provider may have taken the money. */
const bought = statement(
  'billing.bought-by-top-ups',
  `SELECT coalesce(sum(credits), 0)::bigint AS credits FROM billing.payments
   WHERE workspace_id = $1 AND automatic AND created_at >= $2
     AND (status NOT IN ('failed', 'expired') OR held IS NOT NULL)`,
);

const low = statement(
  'billing.find-low-accounts',
  `SELECT workspace_id AS "workspaceId"
   FROM billing.automatic_top_ups AS top_up
   JOIN billing.accounts AS account USING (workspace_id)
   JOIN billing.payment_authorisations USING (workspace_id)
   WHERE enabled AND balance < threshold
     AND NOT EXISTS (
       SELECT FROM billing.payments
       WHERE payments.workspace_id = top_up.workspace_id AND automatic AND status = 'pending'
     )
     AND top_up.credits + (
       SELECT coalesce(sum(payments.credits), 0) FROM billing.payments
       WHERE payments.workspace_id = top_up.workspace_id AND automatic AND created_at >= $1
         AND (status NOT IN ('failed', 'expired') OR held IS NOT NULL)
     ) <= monthly_cap_credits
     AND ($2::uuid IS NULL OR workspace_id = $2)
   LIMIT $3`,
);

export class TopUpSettingsStore {
  constructor(private readonly database: Queryable) {}

  async find(workspaceId: WorkspaceId): Promise<TopUpRow | undefined> {
    return (await this.database.query<TopUpRow>(find, [workspaceId])).rows[0];
  }

  async put(
    workspaceId: WorkspaceId,
    row: Omit<TopUpRow, 'disabledReason'>,
    at: Date,
  ): Promise<void> {
    const { enabled, threshold, credits, monthlyCapCredits } = row;
    const values = [workspaceId, enabled, threshold, credits, monthlyCapCredits, at];
    await this.database.query(put, values);
  }

  async switchOff(workspaceId: WorkspaceId, reason: string, at: Date): Promise<void> {
    await this.database.query(switchOff, [workspaceId, reason, at]);
  }

  async findAuthorisation(workspaceId: WorkspaceId): Promise<AuthorisationRow | undefined> {
    const { rows } = await this.database.query<AuthorisationRow>(findAuthorisation, [workspaceId]);
    return rows[0];
  }

  async saveAuthorisation(workspaceId: WorkspaceId, row: AuthorisationRow): Promise<void> {
    const { provider, payerEmail, authorisation, savedAt } = row;
    const values = [workspaceId, provider, payerEmail, authorisation, savedAt];
    await this.database.query(saveAuthorisation, values);
  }

  async boughtSince(workspaceId: WorkspaceId, since: Date): Promise<number> {
    const values = [workspaceId, since];
    return (await this.database.query<{ credits: number }>(bought, values)).rows[0]!.credits;
  }

  /** Returns the workspaces that should buy credits now. */
  async low(monthStart: Date, limit: number): Promise<WorkspaceId[]> {
    return this.findLow(monthStart, null, limit);
  }

  async isLow(workspaceId: WorkspaceId, monthStart: Date): Promise<boolean> {
    return (await this.findLow(monthStart, workspaceId, 1)).length === 1;
  }

  private async findLow(
    since: Date,
    only: WorkspaceId | null,
    limit: number,
  ): Promise<WorkspaceId[]> {
    const values = [since, only, limit];
    const { rows } = await this.database.query<{ workspaceId: WorkspaceId }>(low, values);
    return rows.map(({ workspaceId }) => workspaceId);
  }
}
