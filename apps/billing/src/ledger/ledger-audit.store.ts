import { Inject, Injectable } from '@nestjs/common';
import type { EntryId, WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

export interface LedgerFault {
  workspaceId: WorkspaceId;
  fault: string;
  /** The wrong entry. Null when the account is wrong. */
  entryId: EntryId | null;
}

/** Faults of a slice of accounts, and where to continue (null at the end). */
export interface AuditedSlice {
  faults: LedgerFault[];
  next: string | null;
}

/**
 * One statement and so one snapshot: accounts and entries are compared as of the same time while
 * sends continue. The opening balance of every account is zero.
 */
const audit = statement(
  'billing.audit-ledger',
  `WITH slice AS MATERIALIZED (
     SELECT workspace_id, balance, entry_count, purchased_credits, debt FROM billing.accounts
     WHERE workspace_id > $1 ORDER BY workspace_id LIMIT $2
   ), entry AS MATERIALIZED (
     SELECT entry.*,
       row_number() OVER wallet AS place,
       lag(balance_after, 1, 0::bigint) OVER wallet AS balance_before
     FROM slice JOIN billing.entries AS entry USING (workspace_id)
     WINDOW wallet AS (PARTITION BY workspace_id ORDER BY ordinal)
   ), wallet AS (
     SELECT workspace_id, sum(credits) AS credits, count(*) AS entries,
       coalesce(sum(credits) FILTER (WHERE top_up_kind = 'purchase'), 0)
         - coalesce(sum(reversed_credits), 0) AS purchased,
       sum(debt_change) AS debt_left
     FROM entry GROUP BY workspace_id
   ), taken AS (
     SELECT workspace_id, coalesce(grant_unit, 'sms_segment') AS unit, grant_month AS month,
       sum(CASE kind WHEN 'charge' THEN granted_segments ELSE -granted_segments END) AS units
     FROM entry WHERE grant_month IS NOT NULL
     GROUP BY workspace_id, coalesce(grant_unit, 'sms_segment'), grant_month
   ), known_grant AS (
     SELECT workspace_id, unit, month, used FROM slice JOIN billing.grants USING (workspace_id)
   ), fault AS (
     SELECT workspace_id, 'balance is not the sum of the entries' AS fault, NULL::uuid AS entry_id
     FROM slice LEFT JOIN wallet USING (workspace_id) WHERE balance <> coalesce(credits, 0)
     UNION ALL
     SELECT workspace_id, 'balance is negative', NULL FROM slice WHERE balance < 0
     UNION ALL
     SELECT workspace_id, 'entries are missing or too many', NULL
     FROM slice LEFT JOIN wallet USING (workspace_id) WHERE entry_count <> coalesce(entries, 0)
     UNION ALL
     SELECT workspace_id, 'purchased credits are not the sum of the purchases', NULL
     FROM slice LEFT JOIN wallet USING (workspace_id)
     WHERE purchased_credits <> coalesce(purchased, 0)
     UNION ALL
     SELECT workspace_id, 'debt is not the sum of the entries', NULL
     FROM slice LEFT JOIN wallet USING (workspace_id) WHERE debt <> coalesce(debt_left, 0)
     UNION ALL
     SELECT workspace_id, 'running balance is broken', id
     FROM entry WHERE balance_after <> balance_before + credits OR ordinal <> place
     UNION ALL
     SELECT workspace_id, 'running balance is negative', id FROM entry WHERE balance_after < 0
     UNION ALL
     SELECT refund.workspace_id, 'refund differs from the charge', refund.id
     FROM entry AS refund
     LEFT JOIN entry AS charge
       ON charge.message_id = refund.message_id AND charge.kind = 'charge'
       AND charge.workspace_id = refund.workspace_id
     WHERE refund.kind = 'refund' AND (
       refund.credits IS DISTINCT FROM -charge.credits
       OR refund.granted_segments IS DISTINCT FROM charge.granted_segments
       OR refund.grant_month IS DISTINCT FROM charge.grant_month
       OR refund.grant_unit IS DISTINCT FROM charge.grant_unit
       OR refund.key_id IS DISTINCT FROM charge.key_id
     )
     UNION ALL
     SELECT workspace_id, 'message has several entries of one kind', min(id::text)::uuid
     FROM entry WHERE message_id IS NOT NULL
     GROUP BY workspace_id, message_id, kind HAVING count(*) > 1
     UNION ALL
     SELECT workspace_id, 'use of a grant is not the sum of the entries', NULL
     FROM known_grant FULL JOIN taken USING (workspace_id, unit, month)
     WHERE coalesce(used, 0) <> coalesce(units, 0)
   )
   SELECT workspace_id AS "workspaceId", fault, entry_id AS "entryId",
     NULL::uuid AS next FROM fault
   UNION ALL
   SELECT NULL, NULL, NULL, max(workspace_id::text)::uuid FROM slice HAVING count(*) = $2`,
);

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class LedgerAuditStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async audit(after: string | null, accountsMax: number): Promise<AuditedSlice> {
    const { rows } = await this.database.query<LedgerFault & { next: string | null }>(audit, [
      after ?? BEFORE_ALL,
      accountsMax,
    ]);
    const next = rows.find((row) => row.next !== null)?.next ?? null;
    const faults = rows
      .filter((row) => row.next === null)
      .map(({ workspaceId, fault, entryId }) => ({ workspaceId, fault, entryId }));
    return { faults, next };
  }
}
