import type { Clock, IdempotencyClaim, WorkspaceId } from '@watchword/contracts';
import { sqlState, UNIQUE_VIOLATION } from '@watchword/postgres';
import type { IdempotencyKeyStore } from './idempotency-key.store.js';
import type { KeyRow } from './message-write.js';

export interface ClaimedCancellation {
  readonly workspaceId: WorkspaceId;
  readonly idempotency: IdempotencyClaim | null;
}

export interface Cancelling<Result> {
  /** Writes its key together with its effect. */
  readonly first: (keys: readonly KeyRow[]) => Promise<Result>;
  /** The answer to what the key did before. */
  readonly again: () => Promise<Result | null>;
}

/** A key cancels once; a repetition gets the first answer. */
export async function cancelOnce<Result>(
  { workspaceId, idempotency }: ClaimedCancellation,
  { keys, clock }: { keys: Pick<IdempotencyKeyStore, 'find'>; clock: Clock },
  { first, again }: Cancelling<Result>,
): Promise<Result | { outcome: 'idempotency_conflict' }> {
  if (idempotency === null) return first([]);
  const { scope, key, fingerprint } = idempotency;
  const replay = async () => {
    const [known] = await keys.find([{ workspaceId, scope, key }], new Date(clock.now()));
    if (known === undefined) return null;
    return known.fingerprint === fingerprint
      ? again()
      : { outcome: 'idempotency_conflict' as const };
  };
  const known = await replay();
  if (known !== null) return known;
  const createdAt = new Date(clock.now());
  try {
    return await first([
      { workspaceId, ...idempotency, result: { outcome: 'cancelled' }, createdAt },
    ]);
  } catch (error) {
    // The same key did the same at the same moment, in another process.
    const raced = sqlState(error) === UNIQUE_VIOLATION ? await replay() : null;
    if (raced === null) throw error;
    return raced;
  }
}
