import { Inject, Injectable } from '@nestjs/common';
import type {
  Clock,
  IdempotencyClaim,
  LedgerEntry,
  TopUpKind,
  WorkspaceId,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { CLOCK, DATABASE } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import { EntryStore, toLedgerEntry } from '../ledger/entry.store.js';
import { type AccountRow, AccountStore } from './account.store.js';
import { AccountIdempotencyKeyStore } from './idempotency-key.store.js';
import { postTopUp } from './post-top-up.js';
import { toppedUp } from './top-up.policy.js';

export interface TopUpRequest {
  readonly workspace_id: WorkspaceId;
  readonly credits: number;
  readonly kind: TopUpKind;
  readonly note?: string | undefined;
  readonly idempotency: IdempotencyClaim | null;
}

/**
 * `balance_too_low`: the adjustment would make the balance negative. `balance_too_high`: the balance,
 * or the credits bought in total, would exceed `BALANCE_MAX`.
 */
export type TopUpResult =
  | {
      verdict: 'done' | 'replayed';
      entry: LedgerEntry;
      /** After a purchase has paid the debt. */
      balance?: number | undefined;
    }
  | { verdict: 'idempotency_conflict' | 'unknown_workspace' }
  | { verdict: 'balance_too_low' | 'balance_too_high'; balance: number };

/** Adds credits to a wallet, in one transaction that holds the account. */
@Injectable()
export class TopUpHandler {
  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Opens an account. The opening entry belongs to the first call; later ones change nothing. */
  async openAccount(
    workspaceId: WorkspaceId,
    credits: number,
    kind: TopUpKind,
  ): Promise<AccountRow> {
    const account = await this.pool.transaction(async (transaction) => {
      const opened = await this.open(transaction, workspaceId, { credits, kind });
      crashPoint('billing.open-account.before-commit');
      return opened;
    });
    crashPoint('billing.open-account.after-commit');
    return account;
  }

  /** Enters trial credits at most once per workspace. */
  async grantTrial(workspaceId: WorkspaceId, credits: number): Promise<AccountRow | undefined> {
    const account = await this.pool.transaction(async (transaction) => {
      const accounts = new AccountStore(transaction);
      await accounts.awaitTurn(workspaceId);
      const before = await accounts.lock(workspaceId);
      if (!before || (await new EntryStore(transaction).hasTrial(workspaceId))) return before;
      const at = new Date(this.clock.now());
      const after = granted(before, { credits, kind: 'trial' }, at);
      await postTopUp(transaction, after, { credits, kind: 'trial' });
      crashPoint('billing.grant-trial.before-commit');
      return after;
    });
    crashPoint('billing.grant-trial.after-commit');
    return account;
  }

  async topUp(request: TopUpRequest): Promise<TopUpResult> {
    const result = await this.pool.transaction(async (transaction) => {
      const decided = await this.decide(transaction, request);
      crashPoint('billing.top-up.before-commit');
      return decided;
    });
    crashPoint('billing.top-up.after-commit');
    return result;
  }

  private async open(
    transaction: Queryable,
    workspaceId: WorkspaceId,
    opening: { credits: number; kind: TopUpKind },
  ): Promise<AccountRow> {
    const accounts = new AccountStore(transaction);
    const at = new Date(this.clock.now());
    const isNew = await accounts.open(workspaceId, at);
    const account = (await accounts.lock(workspaceId))!;
    if (!isNew || opening.credits === 0) return account;
    const after = granted(account, opening, at);
    await postTopUp(transaction, after, opening);
    return after;
  }

  private async decide(transaction: Queryable, request: TopUpRequest): Promise<TopUpResult> {
    const { workspace_id: workspaceId, credits, kind, note, idempotency } = request;
    const at = new Date(this.clock.now());
    const accounts = new AccountStore(transaction);
    await accounts.awaitTurn(workspaceId);
    const account = await accounts.lock(workspaceId);
    if (!account) return { verdict: 'unknown_workspace' };
    const earlier = await replayed(transaction, request, at);
    if (earlier) return earlier;
    const after = toppedUp(account, credits, kind);
    if (typeof after === 'string') return { verdict: after, balance: account.balance };
    const { entry, balance } = await postTopUp(
      transaction,
      { ...after, updatedAt: at },
      { credits, kind, note },
    );
    if (idempotency) {
      const keys = new AccountIdempotencyKeyStore(transaction);
      await keys.bind(workspaceId, idempotency, { entryId: entry.id }, at);
    }
    return { verdict: 'done', entry: toLedgerEntry(entry), balance };
  }
}

/** Returns the account after a top-up with an amount that the platform chose. */
function granted(
  account: AccountRow,
  { credits, kind }: { credits: number; kind: TopUpKind },
  updatedAt: Date,
): AccountRow {
  const after = toppedUp(account, credits, kind);
  if (typeof after === 'string') throw new RangeError(`${kind} of ${credits} credits: ${after}`);
  return { ...after, updatedAt };
}

/** Returns the earlier answer to the same key, if any. The caller holds the account. */
async function replayed(
  transaction: Queryable,
  { workspace_id: workspaceId, idempotency }: TopUpRequest,
  at: Date,
): Promise<TopUpResult | undefined> {
  if (!idempotency) return undefined;
  const known = await new AccountIdempotencyKeyStore(transaction).find(
    workspaceId,
    idempotency,
    at,
  );
  if (!known) return undefined;
  const same = known.fingerprint === idempotency.fingerprint && known.entryId !== null;
  if (!same) return { verdict: 'idempotency_conflict' };
  const entries = new EntryStore(transaction);
  const entry = (await entries.find(known.entryId!))!;
  const balance = await entries.balanceAfterDebt(entry);
  return { verdict: 'replayed', entry: toLedgerEntry(entry), balance };
}
