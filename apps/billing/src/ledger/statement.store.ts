import { Inject, Injectable } from '@nestjs/common';
import type { MessageKind, TopUpKind, WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/**
 * Returns the ordinal of the last entry before a time, by halving the ordinals: they have no gaps, and no
 * index knows the times. Clocks of processes differ by milliseconds, so the entries around a month's
 * end may not be in the order of their times. Once the time has passed, the answer never changes.
 */
const ordinalBefore = statement(
  'billing.ordinal-before',
  `WITH RECURSIVE halving (low, high) AS (
     SELECT 0::bigint, (SELECT coalesce(max(ordinal), 0) FROM billing.entries WHERE workspace_id = $1)
     UNION ALL
     SELECT CASE WHEN middle.is_before THEN middle.ordinal ELSE low END,
       CASE WHEN middle.is_before THEN high ELSE middle.ordinal - 1 END
     FROM halving CROSS JOIN LATERAL (
       SELECT ordinal, created_at < $2 AS is_before FROM billing.entries
       WHERE workspace_id = $1 AND ordinal = (low + high + 1) / 2
     ) AS middle
     WHERE low < high
   )
   SELECT low AS ordinal FROM halving WHERE low = high`,
);

const balanceAt = statement(
  'billing.balance-at-ordinal',
  `SELECT balance_after AS balance FROM billing.entries WHERE workspace_id = $1 AND ordinal = $2`,
);

/** A refund has the channel and the country of its charge. */
const sums = statement(
  'billing.sum-entries',
  `SELECT entry.kind, entry.top_up_kind AS "topUpKind", coalesce(entry.channel, charge.channel) AS channel,
     coalesce(entry.country_code, charge.country_code) AS country,
     count(*)::integer AS count, sum(entry.credits)::bigint AS credits
   FROM billing.entries AS entry
   LEFT JOIN LATERAL (
     SELECT channel, country_code FROM billing.entries AS charge
     WHERE entry.kind = 'refund' AND charge.message_id = entry.message_id AND charge.kind = 'charge'
   ) AS charge ON true
   WHERE entry.workspace_id = $1 AND entry.ordinal > $2 AND entry.ordinal <= $3
   GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
);

export interface SumRow {
  readonly kind: 'charge' | 'refund' | 'top_up';
  readonly topUpKind: TopUpKind | null;
  readonly channel: MessageKind | null;
  readonly country: string | null;
  readonly count: number;
  readonly credits: number;
}

/** Sums over a range of a workspace's entries. */
@Injectable()
export class StatementStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async ordinalBefore(workspaceId: WorkspaceId, time: Date): Promise<number> {
    const { rows } = await this.database.query<{ ordinal: number }>(ordinalBefore, [
      workspaceId,
      time,
    ]);
    return rows[0]?.ordinal ?? 0;
  }

  /** Returns the balance after the entry; 0 before the first. */
  async balanceAt(workspaceId: WorkspaceId, ordinal: number): Promise<number> {
    const values = [workspaceId, ordinal];
    const { rows } = await this.database.query<{ balance: number }>(balanceAt, values);
    return rows[0]?.balance ?? 0;
  }

  async sums(workspaceId: WorkspaceId, after: number, last: number): Promise<SumRow[]> {
    return (await this.database.query<SumRow>(sums, [workspaceId, after, last])).rows;
  }
}
