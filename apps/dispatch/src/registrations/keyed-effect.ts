import {
  IDEMPOTENCY_KEY_HOURS,
  type IdempotencyClaim,
  type WorkspaceId,
} from '@watchword/contracts';
import type { Queryable, Transactional } from '@watchword/postgres';

/** The result of a keyed effect. A refusal is not stored, because nothing happened. */
export interface Effect<Result> {
  /** Id of the resource. Null for a refusal. */
  readonly id: string | null;
  readonly result: Result;
}

export type KeyedOutcome<Result> =
  | { readonly outcome: 'done'; readonly replayed: boolean; readonly result: Result }
  | { readonly outcome: 'idempotency_conflict' };

/** Thrown to undo the claim of a refused effect. */
class RefusedEffect extends Error {
  constructor(readonly result: unknown) {
    super('the effect was refused');
  }
}

/**
 * Runs `work` once per idempotency key. It claims the key before the work, in the same transaction.
 * A second request with the key waits for the first commit, then replays it.
 */
export async function onceByKey<Result>(
  database: Transactional,
  workspaceId: WorkspaceId,
  claim: IdempotencyClaim | null,
  at: Date,
  work: (transaction: Queryable) => Promise<Effect<Result>>,
): Promise<KeyedOutcome<Result>> {
  if (claim === null) {
    const { result } = await database.transaction(work);
    return { outcome: 'done', replayed: false, result };
  }
  try {
    return await database.transaction(async (transaction) => {
      const known = await claimKey(transaction, workspaceId, claim, at);
      if (known !== null) return replay<Result>(known, claim);
      const { id, result } = await work(transaction);
      if (id === null) throw new RefusedEffect(result);
      await keepResult(transaction, workspaceId, claim, result);
      return { outcome: 'done', replayed: false, result };
    });
  } catch (error) {
    if (!(error instanceof RefusedEffect)) throw error;
    return { outcome: 'done', replayed: false, result: error.result as Result };
  }
}

/** What a key did before; null where it is free. */
export async function doneByKey<Result>(
  database: Queryable,
  workspaceId: WorkspaceId,
  claim: IdempotencyClaim | null,
  at: Date,
): Promise<KeyedOutcome<Result> | null> {
  if (claim === null) return null;
  const { rows } = await database.query<KnownKey>(
    `SELECT fingerprint, answer AS result FROM idempotency_keys
     WHERE workspace_id = $1 AND scope = $2 AND key = $3
       AND created_at > $4::timestamptz - interval '${IDEMPOTENCY_KEY_HOURS} hours'`,
    [workspaceId, claim.scope, claim.key, at],
  );
  return rows[0] ? replay<Result>(rows[0], claim) : null;
}

interface KnownKey {
  fingerprint: string;
  result: unknown;
}

function replay<Result>(known: KnownKey, claim: IdempotencyClaim): KeyedOutcome<Result> {
  if (known.fingerprint !== claim.fingerprint) return { outcome: 'idempotency_conflict' };
  return { outcome: 'done', replayed: true, result: known.result as Result };
}

/** Returns null once the key belongs to this request, otherwise its stored effect. */
async function claimKey(
  transaction: Queryable,
  workspaceId: WorkspaceId,
  { scope, key, fingerprint }: IdempotencyClaim,
  at: Date,
): Promise<KnownKey | null> {
  const name = [workspaceId, scope, key];
  await transaction.query(
    `DELETE FROM idempotency_keys WHERE workspace_id = $1 AND scope = $2 AND key = $3
       AND created_at <= $4::timestamptz - interval '${IDEMPOTENCY_KEY_HOURS} hours'`,
    [...name, at],
  );
  const { rowCount } = await transaction.query(
    `INSERT INTO idempotency_keys
       (workspace_id, scope, key, fingerprint, created_at)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [...name, fingerprint, at],
  );
  if (rowCount === 1) return null;
  const { rows } = await transaction.query<KnownKey>(
    `SELECT fingerprint, answer AS result FROM idempotency_keys
     WHERE workspace_id = $1 AND scope = $2 AND key = $3`,
    name,
  );
  return rows[0] ?? null;
}

async function keepResult(
  transaction: Queryable,
  workspaceId: WorkspaceId,
  { scope, key }: IdempotencyClaim,
  result: unknown,
): Promise<void> {
  await transaction.query(
    `UPDATE idempotency_keys SET answer = $4
     WHERE workspace_id = $1 AND scope = $2 AND key = $3`,
    [workspaceId, scope, key, JSON.stringify(result)],
  );
}
