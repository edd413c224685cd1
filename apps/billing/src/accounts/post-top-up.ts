import { newId, type PaymentId, type TopUpKind } from '@watchword/contracts';
import type { Queryable } from '@watchword/postgres';
import { type EntryRow, EntryStore } from '../ledger/entry.store.js';
import { type AccountRow, AccountStore } from './account.store.js';
import { CreditEventStore } from './credit-event.store.js';
import { debtPaid } from './top-up.policy.js';

export interface TopUpEntry {
  credits: number;
  kind: TopUpKind;
  note?: string | undefined;
  paymentId?: PaymentId;
  reversedCredits?: number;
  debtChange?: number;
}

/**
 * Writes balance, entry and events together. The caller holds the account. A purchase then pays the
 * account's debt with a second entry.
 */
export async function postTopUp(
  transaction: Queryable,
  after: AccountRow,
  posted: TopUpEntry,
): Promise<EntryRow> {
  const entry = entryOf(after, posted);
  await new AccountStore(transaction).post(after);
  await new EntryStore(transaction).insert(entry);
  await announce(transaction, entry, after.lowBalanceThreshold);
  const paying = posted.kind === 'purchase' ? debtPaid(after, posted.credits) : undefined;
  if (!paying) return entry;
  await postTopUp(transaction, paying.after, {
    credits: -paying.paid,
    kind: 'adjustment',
    note: 'Pays for refunded credits that were spent.',
    debtChange: -paying.paid,
  });
  return entry;
}

function entryOf(after: AccountRow, posted: TopUpEntry): EntryRow {
  return {
    id: newId(),
    workspaceId: after.workspaceId,
    ordinal: after.entryCount,
    kind: 'top_up',
    topUpKind: posted.kind,
    credits: posted.credits,
    balanceAfter: after.balance,
    messageId: null,
    note: posted.note ?? null,
    paymentId: posted.paymentId ?? null,
    reversedCredits: posted.reversedCredits ?? null,
    debtChange: posted.debtChange ?? null,
    createdAt: after.updatedAt,
  };
}

async function announce(
  transaction: Queryable,
  entry: EntryRow,
  threshold: number | null,
): Promise<void> {
  const events = new CreditEventStore(transaction);
  const { workspaceId, id, credits, balanceAfter } = entry;
  const about = {
    workspace_id: workspaceId,
    entry_id: id,
    balance_after: balanceAfter,
    occurred_at: entry.createdAt.toISOString(),
  };
  if (threshold !== null && balanceAfter - credits >= threshold && balanceAfter < threshold) {
    await events.announce({ type: 'credit.low', ...about, threshold });
  }
  await events.announce({
    type: 'credit.topped_up',
    ...about,
    top_up_kind: entry.topUpKind!,
    credits,
  });
}
