import { Inject, Injectable } from '@nestjs/common';
import type { EntryId, WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { StandingAccount, Tally } from './ledger-audit.policy.js';

/** The next entries of one account. */
interface AuditedPage {
  readonly workspaceId: WorkspaceId;
  readonly account: StandingAccount;
  /** Sums of this page alone. */
  readonly page: Tally;
  readonly faults: readonly { fault: string; entryId: EntryId }[];
}

const accountsAfter = statement(
  'billing.audited-accounts',
  `SELECT workspace_id AS "workspaceId" FROM billing.accounts
   WHERE workspace_id > $1 ORDER BY workspace_id LIMIT $2`,
);

/**
 * One statement and so one snapshot: accounts and entries are compared as of the same time while
 * sends continue. A charge is looked up by its message, because it can stand in an earlier page.
 */
const pages = statement(
  'billing.audit-ledger',
  `WITH asked AS MATERIALIZED (
     SELECT asked.*, balance, entry_count, purchased_credits, debt
     FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[])
       AS asked (workspace_id, entries_read, last_ordinal, balance_read)
     JOIN billing.accounts USING (workspace_id)
   ), entry AS MATERIALIZED (
     SELECT entry.*,
       entries_read + row_number() OVER wallet AS place,
       lag(balance_after, 1, balance_read) OVER wallet AS balance_before
     FROM asked CROSS JOIN LATERAL (
       SELECT * FROM billing.entries AS entry
       WHERE entry.workspace_id = asked.workspace_id AND ordinal > last_ordinal
       ORDER BY ordinal LIMIT $5
     ) AS entry
     WINDOW wallet AS (PARTITION BY entry.workspace_id ORDER BY ordinal)
   ), wallet AS (
     SELECT workspace_id, count(*) AS entries, max(ordinal) AS last_ordinal,
       (array_agg(balance_after ORDER BY ordinal DESC))[1] AS balance_after,
       sum(credits)::bigint AS credits,
       (coalesce(sum(credits) FILTER (WHERE top_up_kind = 'purchase'), 0)
         - coalesce(sum(reversed_credits), 0))::bigint AS purchased,
       coalesce(sum(debt_change), 0)::bigint AS debt
     FROM entry GROUP BY workspace_id
   ), taken AS (
     SELECT workspace_id, concat_ws(' ', grant_unit, grant_month) AS name,
       sum(CASE kind WHEN 'charge' THEN granted_segments ELSE -granted_segments END) AS units
     FROM entry WHERE grant_month IS NOT NULL GROUP BY workspace_id, name
   ), fault AS (
     SELECT workspace_id, 'running balance is broken' AS fault, id
     FROM entry WHERE balance_after <> balance_before + credits OR ordinal <> place
     UNION ALL
     SELECT workspace_id, 'running balance is negative', id FROM entry WHERE balance_after < 0
     UNION ALL
     SELECT refund.workspace_id, 'refund differs from the charge', refund.id
     FROM entry AS refund LEFT JOIN LATERAL (
       SELECT * FROM billing.entries AS charge
       WHERE charge.message_id = refund.message_id AND charge.kind = 'charge'
         AND charge.workspace_id = refund.workspace_id LIMIT 1
     ) AS charge ON true
     WHERE refund.kind = 'refund' AND (
       refund.credits IS DISTINCT FROM -charge.credits
       OR refund.granted_segments IS DISTINCT FROM charge.granted_segments
       OR refund.grant_month IS DISTINCT FROM charge.grant_month
       OR refund.grant_unit IS DISTINCT FROM charge.grant_unit
       OR refund.key_id IS DISTINCT FROM charge.key_id
     )
   )
   SELECT workspace_id AS "workspaceId",
     jsonb_build_object(
       'balance', balance, 'entryCount', entry_count, 'purchasedCredits', purchased_credits,
       'debt', asked.debt, 'grants', coalesce((
         SELECT jsonb_object_agg(concat_ws(' ', unit, month), used) FROM billing.grants
         WHERE workspace_id = asked.workspace_id
       ), '{}')
     ) AS account,
     jsonb_build_object(
       'entries', coalesce(entries, 0), 'lastOrdinal', wallet.last_ordinal,
       'balanceAfter', balance_after, 'credits', credits, 'purchased', purchased,
       'debt', wallet.debt, 'used', coalesce((
         SELECT jsonb_object_agg(name, units) FROM taken
         WHERE taken.workspace_id = asked.workspace_id
       ), '{}')
     ) AS page,
     coalesce((
       SELECT jsonb_agg(jsonb_build_object('fault', fault, 'entryId', id)) FROM fault
       WHERE fault.workspace_id = asked.workspace_id
     ), '[]') AS faults
   FROM asked LEFT JOIN wallet USING (workspace_id)`,
);

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class LedgerAuditStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns the next accounts in the order of their ids. Null starts at the first. */
  async accountsAfter(last: WorkspaceId | null, accountsMax: number): Promise<WorkspaceId[]> {
    const { rows } = await this.database.query<{ workspaceId: WorkspaceId }>(accountsAfter, [
      last ?? BEFORE_ALL,
      accountsMax,
    ]);
    return rows.map(({ workspaceId }) => workspaceId);
  }

  /** Returns each account with the entries after those of its tally, at most `entriesMax` of each. */
  async pages(
    tallies: ReadonlyMap<WorkspaceId, Tally>,
    entriesMax: number,
  ): Promise<AuditedPage[]> {
    const read = [...tallies.values()];
    const { rows } = await this.database.query<AuditedPage>(pages, [
      [...tallies.keys()],
      read.map(({ entries }) => entries),
      read.map(({ lastOrdinal }) => lastOrdinal),
      read.map(({ balanceAfter }) => balanceAfter),
      entriesMax,
    ]);
    return rows;
  }
}
