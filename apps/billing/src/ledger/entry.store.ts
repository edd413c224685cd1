import { Inject, Injectable } from '@nestjs/common';
import type {
  EntryId,
  LedgerEntry,
  MessageId,
  PaymentId,
  TopUpKind,
  WorkspaceId,
} from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

export interface EntryRow {
  id: EntryId;
  workspaceId: WorkspaceId;
  ordinal: number;
  kind: LedgerEntry['kind'];
  topUpKind: TopUpKind | null;
  credits: number;
  balanceAfter: number;
  messageId: MessageId | null;
  note: string | null;
  /** The payment of a purchase, or of its reversal. */
  paymentId: PaymentId | null;
  /** Credits of the purchase that a refund or dispute takes back. */
  reversedCredits: number | null;
  debtChange: number | null;
  createdAt: Date;
}

const COLUMNS = `id, workspace_id AS "workspaceId", ordinal, kind, top_up_kind AS "topUpKind",
  credits, balance_after AS "balanceAfter", message_id AS "messageId", note,
  payment_id AS "paymentId", reversed_credits AS "reversedCredits", debt_change AS "debtChange",
  created_at AS "createdAt"`;

const insert = statement(
  'billing.insert-entry',
  `INSERT INTO billing.entries (
     id, workspace_id, ordinal, kind, top_up_kind, credits, balance_after, note, created_at,
     payment_id, reversed_credits, debt_change
   ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

const find = statement(
  'billing.find-entry',
  `SELECT ${COLUMNS} FROM billing.entries WHERE id = $1`,
);

/** An entry that pays a debt follows its purchase or refunds, and is the only kind that lowers the debt. */
const debtPayment = statement(
  'billing.find-debt-payment',
  `SELECT balance_after AS "balanceAfter" FROM billing.entries
   WHERE workspace_id = $1 AND ordinal = $2 + 1 AND debt_change < 0`,
);

const page = `SELECT ${COLUMNS} FROM billing.entries
  WHERE workspace_id = $1 AND ordinal < $2`;

const list = statement('billing.list-entries', `${page} ORDER BY ordinal DESC LIMIT $3`);

const listCharges = statement(
  'billing.list-charges',
  `${page} AND kind = 'charge' ORDER BY ordinal DESC LIMIT $3`,
);

/** The second condition lets PostgreSQL use the partial index. */
const listOthers = statement(
  'billing.list-entries-of-kind',
  `${page} AND kind = $4 AND kind <> 'charge' ORDER BY ordinal DESC LIMIT $3`,
);

/** The second condition lets PostgreSQL use the partial index. */
const hasTrial = statement(
  'billing.has-trial',
  `SELECT FROM billing.entries
   WHERE workspace_id = $1 AND kind = 'top_up' AND kind <> 'charge' AND top_up_kind = 'trial'
   LIMIT 1`,
);

const ofMessages = statement(
  'billing.list-entries-of-messages',
  `SELECT ${COLUMNS}, price_rule AS "priceRule" FROM billing.entries
   WHERE message_id = ANY ($2::uuid[]) AND workspace_id = $1 ORDER BY ordinal`,
);

export interface MessageEntryRow extends EntryRow {
  priceRule: string | null;
}

export interface EntryPage {
  workspaceId: WorkspaceId;
  /** Entries before this one, newest first. */
  beforeOrdinal: number;
  limit: number;
  kind?: string;
}

@Injectable()
export class EntryStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async hasTrial(workspaceId: WorkspaceId): Promise<boolean> {
    return (await this.database.query(hasTrial, [workspaceId])).rowCount === 1;
  }

  /** Inserts a top-up. The batch functions write charges and refunds. */
  async insert(entry: EntryRow): Promise<void> {
    await this.database.query(insert, [
      entry.id,
      entry.workspaceId,
      entry.ordinal,
      entry.kind,
      entry.topUpKind,
      entry.credits,
      entry.balanceAfter,
      entry.note,
      entry.createdAt,
      entry.paymentId,
      entry.reversedCredits,
      entry.debtChange,
    ]);
  }

  async find(id: EntryId): Promise<EntryRow | undefined> {
    return (await this.database.query<EntryRow>(find, [id])).rows[0];
  }

  /** Returns the balance after a top-up and its payment of a debt, if it made one. */
  async balanceAfterDebt({ workspaceId, ordinal, balanceAfter }: EntryRow): Promise<number> {
    const { rows } = await this.database.query<Pick<EntryRow, 'balanceAfter'>>(debtPayment, [
      workspaceId,
      ordinal,
    ]);
    return rows[0]?.balanceAfter ?? balanceAfter;
  }

  async list({ workspaceId, beforeOrdinal, limit, kind }: EntryPage): Promise<EntryRow[]> {
    const values = [workspaceId, beforeOrdinal, limit];
    if (kind === undefined) return (await this.database.query<EntryRow>(list, values)).rows;
    if (kind === 'charge') return (await this.database.query<EntryRow>(listCharges, values)).rows;
    return (await this.database.query<EntryRow>(listOthers, [...values, kind])).rows;
  }

  async ofMessages(
    workspaceId: WorkspaceId,
    messageIds: readonly MessageId[],
  ): Promise<MessageEntryRow[]> {
    const values = [workspaceId, messageIds];
    return (await this.database.query<MessageEntryRow>(ofMessages, values)).rows;
  }
}

export function toLedgerEntry(row: EntryRow): LedgerEntry {
  return {
    id: row.id,
    kind: row.kind,
    ...(row.topUpKind !== null && { top_up_kind: row.topUpKind }),
    credits: row.credits,
    balance_after: row.balanceAfter,
    ...(row.messageId !== null && { message_id: row.messageId }),
    ...(row.paymentId !== null && { payment_id: row.paymentId }),
    ...(row.note !== null && { note: row.note }),
    created_at: row.createdAt.toISOString(),
  };
}
