import type { PaymentProviderName, UserId, WorkspaceId } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';
import type { PaymentRow } from './payment.js';
import type { TopUpBounds } from './top-up-bounds.policy.js';

export interface TopUpRow extends TopUpBounds {
  enabled: boolean;
  disabledReason: string | null;
}

export interface AuthorisationRow {
  provider: PaymentProviderName;
  payerEmail: string;
  authorisation: Buffer;
  savedAt: Date;
  /** It belongs to this person. */
  savedBy: UserId;
}

const find = statement(
  'billing.find-top-up-settings',
  `SELECT enabled, threshold, credits, monthly_cap_credits AS "monthlyCapCredits",
     disabled_reason AS "disabledReason"
   FROM billing.automatic_top_ups WHERE workspace_id = $1`,
);

const put = statement(
  'billing.put-top-up-settings',
  `INSERT INTO billing.automatic_top_ups AS top_up (
     workspace_id, enabled, threshold, credits, monthly_cap_credits, updated_at
   ) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id) DO UPDATE
   SET enabled = excluded.enabled, threshold = excluded.threshold, credits = excluded.credits,
     monthly_cap_credits = excluded.monthly_cap_credits,
     disabled_reason = CASE WHEN excluded.enabled THEN NULL ELSE top_up.disabled_reason END,
     updated_at = excluded.updated_at`,
);

const switchOff = statement(
  'billing.switch-off-top-up',
  `UPDATE billing.automatic_top_ups SET enabled = false, disabled_reason = $2, updated_at = $3
   WHERE workspace_id = $1 AND enabled`,
);

const findAuthorisation = statement(
  'billing.find-payment-authorisation',
  `SELECT provider, payer_email AS "payerEmail", authorisation, saved_at AS "savedAt",
     saved_by AS "savedBy"
   FROM billing.payment_authorisations WHERE workspace_id = $1 AND saved_by IS NOT NULL`,
);

const saveAuthorisation = statement(
  'billing.save-payment-authorisation',
  `INSERT INTO billing.payment_authorisations (
     workspace_id, provider, payer_email, authorisation, saved_at, saved_by
   ) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id) DO UPDATE
   SET provider = excluded.provider, payer_email = excluded.payer_email,
     authorisation = excluded.authorisation, saved_at = excluded.saved_at,
     saved_by = excluded.saved_by`,
);

const deleteAuthorisation = statement(
  'billing.delete-payment-authorisation',
  `DELETE FROM billing.payment_authorisations
   WHERE workspace_id = $1 AND ($2::uuid IS NULL OR saved_by = $2)`,
);

const agree = statement(
  'billing.agree-to-top-up',
  `UPDATE billing.payment_authorisations
   SET agreed_threshold = $2, agreed_credits = $3, agreed_monthly_cap_credits = $4
   WHERE workspace_id = $1`,
);

const findAgreed = statement(
  'billing.find-agreed-top-up',
  `SELECT agreed_threshold AS threshold, agreed_credits AS credits,
     agreed_monthly_cap_credits AS "monthlyCapCredits"
   FROM billing.payment_authorisations
   WHERE workspace_id = $1 AND agreed_threshold IS NOT NULL`,
);

/** The workspaces that may be charged: switched on, not suspended, with an authorisation of a person. */
const CHARGEABLE = `billing.automatic_top_ups AS top_up
   JOIN billing.accounts AS account USING (workspace_id)
   JOIN billing.payment_authorisations AS saved USING (workspace_id)
   WHERE enabled AND NOT suspended AND saved_by IS NOT NULL`;

/**
 * A charge takes provider and payer from the payment, so the authorisation must be of the same. Its person
 * needs no comparison: another person's authorisation switches top-ups off until that person agrees.
 */
const isAllowed = statement(
  'billing.is-top-up-allowed',
  `SELECT FROM ${CHARGEABLE}
     AND workspace_id = $1 AND top_up.credits >= $2
     AND saved.provider = $3 AND saved.payer_email = $4`,
);

/** Charges in flight count, failed ones do not, unless the provider may have taken the money. */
const creditsBought = (workspaceId: string, since: string) =>
  `SELECT coalesce(sum(payments.credits), 0)::bigint AS credits FROM billing.payments
   WHERE payments.workspace_id = ${workspaceId} AND automatic AND created_at >= ${since}
     AND (status NOT IN ('failed', 'expired') OR held IS NOT NULL)`;

const bought = statement('billing.bought-by-top-ups', creditsBought('$1', '$2'));

const low = statement(
  'billing.find-low-accounts',
  `SELECT workspace_id AS "workspaceId"
   FROM ${CHARGEABLE}
     AND balance < threshold
     AND NOT EXISTS (
       SELECT FROM billing.payments
       WHERE payments.workspace_id = top_up.workspace_id AND automatic AND status = 'pending'
     )
     AND top_up.credits + (${creditsBought('top_up.workspace_id', '$1')}) <= monthly_cap_credits
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
    const { provider, payerEmail, authorisation, savedAt, savedBy } = row;
    const values = [workspaceId, provider, payerEmail, authorisation, savedAt, savedBy];
    await this.database.query(saveAuthorisation, values);
  }

  /** Deletes that of one person, or whosever it is. Returns whether there was one. */
  async deleteAuthorisation(workspaceId: WorkspaceId, savedBy: UserId | null): Promise<boolean> {
    const { rowCount } = await this.database.query(deleteAuthorisation, [workspaceId, savedBy]);
    return rowCount === 1;
  }

  /** Records what the authorisation's person agrees to. Null: to nothing. */
  async agree(workspaceId: WorkspaceId, to: TopUpBounds | null): Promise<void> {
    const { threshold = null, credits = null, monthlyCapCredits = null } = to ?? {};
    await this.database.query(agree, [workspaceId, threshold, credits, monthlyCapCredits]);
  }

  /** Returns undefined where the authorisation's person has agreed to nothing. */
  async findAgreed(workspaceId: WorkspaceId): Promise<TopUpBounds | undefined> {
    return (await this.database.query<TopUpBounds>(findAgreed, [workspaceId])).rows[0];
  }

  /** Returns whether this automatic top-up may be charged now. */
  async isAllowed(payment: PaymentRow): Promise<boolean> {
    const { workspaceId, credits, provider, payerEmail } = payment;
    const values = [workspaceId, credits, provider, payerEmail];
    return (await this.database.query(isAllowed, values)).rowCount === 1;
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
