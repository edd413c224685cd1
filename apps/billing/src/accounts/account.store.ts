import { Inject, Injectable } from '@nestjs/common';
import type { WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

export interface AccountRow {
  workspaceId: WorkspaceId;
  balance: number;
  lowBalanceThreshold: number | null;
  purchasedCredits: number;
  /** Credits of refunded purchases that were already spent. Later purchases and refunds pay them. */
  debt: number;
  entryCount: number;
  updatedAt: Date;
}

const COLUMNS = `workspace_id AS "workspaceId", balance,
  low_balance_threshold AS "lowBalanceThreshold", purchased_credits AS "purchasedCredits", debt,
  entry_count AS "entryCount", updated_at AS "updatedAt"`;

const find = statement(
  'billing.find-accounts',
  `SELECT ${COLUMNS} FROM billing.accounts WHERE workspace_id = ANY ($1::uuid[])`,
);

/**
 * Two-part keys are a separate space of advisory locks. A collision of hashes only costs a wait.
 */
const awaitTurn = statement(
  'billing.await-turn-at-account',
  `SELECT pg_advisory_xact_lock(hashtext('billing.top-ups'), hashtext($1))`,
);

const lock = statement(
  'billing.lock-account',
  `SELECT ${COLUMNS} FROM billing.accounts WHERE workspace_id = $1 FOR UPDATE`,
);

const open = statement(
  'billing.open-account',
  `INSERT INTO billing.accounts (workspace_id, updated_at) VALUES ($1, $2)
   ON CONFLICT DO NOTHING`,
);

const post = statement(
  'billing.post-to-account',
  `UPDATE billing.accounts
   SET balance = $2, purchased_credits = $3, entry_count = $4, updated_at = $5, debt = $6
   WHERE workspace_id = $1`,
);

const setThreshold = statement(
  'billing.set-low-balance-threshold',
  'UPDATE billing.accounts SET low_balance_threshold = $2 WHERE workspace_id = $1',
);

const setSuspended = statement(
  'billing.set-suspended',
  'UPDATE billing.accounts SET suspended = $2 WHERE workspace_id = $1',
);

@Injectable()
export class AccountStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async find(workspaceIds: readonly WorkspaceId[]): Promise<AccountRow[]> {
    return (await this.database.query<AccountRow>(find, [workspaceIds])).rows;
  }

  /**
   * Starts the top-ups of an account one after the other. The queue is read in the order of
   * transaction ids. A transaction that waits for a row already has an id, so two of them could be
   * published in the wrong order. A transaction that waits here has no id yet.
   */
  async awaitTurn(workspaceId: WorkspaceId): Promise<void> {
    await this.database.query(awaitTurn, [workspaceId]);
  }

  /** Locks the account until the transaction ends. Every change of a balance holds the account. */
  async lock(workspaceId: WorkspaceId): Promise<AccountRow | undefined> {
    return (await this.database.query<AccountRow>(lock, [workspaceId])).rows[0];
  }

  /** Returns false when the account exists already. */
  async open(workspaceId: WorkspaceId, at: Date): Promise<boolean> {
    return (await this.database.query(open, [workspaceId, at])).rowCount === 1;
  }

  async setLowBalanceThreshold(workspaceId: WorkspaceId, threshold: number | null): Promise<void> {
    await this.database.query(setThreshold, [workspaceId, threshold]);
  }

  /** No automatic top-up is charged in a suspended workspace. */
  async setSuspended(workspaceId: WorkspaceId, suspended: boolean): Promise<void> {
    await this.database.query(setSuspended, [workspaceId, suspended]);
  }

  async post(account: AccountRow): Promise<void> {
    const { workspaceId, balance, purchasedCredits, entryCount, updatedAt, debt } = account;
    await this.database.query(post, [
      workspaceId,
      balance,
      purchasedCredits,
      entryCount,
      updatedAt,
      debt,
    ]);
  }
}
