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

export interface PostedTopUp {
  entry: EntryRow;
  /** The account's, after a purchase has paid the debt. */
  balance: number;
}

/**
 * Writes balance, entries and events together. The caller holds the account. A purchase pays the
 * account's debt with a second entry at once, and is announced with the balance after both.
 */
export async function postTopUp(
  transaction: Queryable,
  after: AccountRow,
  posted: TopUpEntry,
): Promise<PostedTopUp> {
  const entries = new EntryStore(transaction);
  const entry = entryOf(after, posted);
  await entries.insert(entry);
  const paying = posted.kind === 'purchase' ? debtPaid(after, posted.credits) : undefined;
  if (paying) await entries.insert(payingEntryOf(paying));
  const account = paying?.after ?? after;
  await new AccountStore(transaction).post(account);
  await announce(transaction, entry, account);
  return { entry, balance: account.balance };
}

function payingEntryOf({ after, paid }: { after: AccountRow; paid: number }): EntryRow {
  return entryOf(after, {
    credits: -paid,
    kind: 'adjustment',
    note: 'Pays for refunded credits that were spent.',
    debtChange: -paid,
  });
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
  { id, credits, balanceAfter, topUpKind, createdAt }: EntryRow,
  { workspaceId, balance, lowBalanceThreshold: threshold }: AccountRow,
): Promise<void> {
  const events = new CreditEventStore(transaction);
  const about = {
    workspace_id: workspaceId,
    entry_id: id,
    balance_after: balance,
    occurred_at: createdAt.toISOString(),
  };
  if (threshold !== null && balanceAfter - credits >= threshold && balance < threshold) {
    await events.announce({ type: 'credit.low', ...about, threshold });
  }
  await events.announce({
    type: 'credit.topped_up',
    ...about,
    top_up_kind: topUpKind!,
    credits,
  });
}
