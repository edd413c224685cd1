import {
  ApiError,
  type Clock,
  IDEMPOTENCY_KEY_MS,
  type IdempotencyClaim,
  type Outcome,
  type WorkspaceId,
} from '@watchword/contracts';
import type { Queryable, Transactional } from '@watchword/postgres';

interface KnownKey {
  fingerprint: string;
  answer: unknown;
}

/** How answers are stored. */
export interface AnswerForm {
  write(outcome: Outcome, bound: string): unknown;
  read(stored: unknown, bound: string): Outcome;
}

const PLAIN_ANSWERS: AnswerForm = {
  write: (outcome) => JSON.stringify(outcome),
  read: (stored) => stored as Outcome,
};

/**
 * Answers of routes by their idempotency keys, in the table `idempotency_keys` of a service. The key
 * and the answer are written in the effect's transaction, so a second request waits for the first
 * commit and gets its answer. A refusal is thrown: it undoes the claim and leaves the key free.
 */
export class KeyedAnswers {
  constructor(
    private readonly database: Transactional,
    private readonly clock: Clock,
    private readonly form: AnswerForm = PLAIN_ANSWERS,
  ) {}

  /** Runs `work` in a transaction, once for each key. */
  async once<Body>(
    workspaceId: WorkspaceId,
    claim: IdempotencyClaim | null,
    work: (transaction: Queryable, at: Date) => Promise<Outcome<Body>>,
  ): Promise<Outcome<Body>> {
    const at = new Date(this.clock.now());
    return this.database.transaction(async (transaction) => {
      if (claim === null) return work(transaction, at);
      const known = await claimKey(transaction, workspaceId, claim, at);
      if (known) return this.replayed<Body>(known, workspaceId, claim);
      const outcome = await work(transaction, at);
      await transaction.query(
        `UPDATE idempotency_keys SET answer = $4
         WHERE workspace_id = $1 AND scope = $2 AND key = $3`,
        [...nameOf(workspaceId, claim), this.form.write(outcome, boundOf(workspaceId, claim))],
      );
      return outcome;
    });
  }

  /** Returns the answer of an earlier request with the key, or null. */
  async find<Body>(
    workspaceId: WorkspaceId,
    claim: IdempotencyClaim | null,
  ): Promise<Outcome<Body> | null> {
    if (claim === null) return null;
    const at = new Date(this.clock.now());
    const known = await findKey(this.database, workspaceId, claim, at);
    return known && this.replayed<Body>(known, workspaceId, claim);
  }

  private replayed<Body>(
    { fingerprint, answer }: KnownKey,
    workspaceId: WorkspaceId,
    claim: IdempotencyClaim,
  ): Outcome<Body> {
    if (fingerprint !== claim.fingerprint) throw new ApiError('idempotency_conflict');
    const outcome = this.form.read(answer, boundOf(workspaceId, claim)) as Outcome<Body>;
    return { ...outcome, replayed: true };
  }
}

const nameOf = (workspaceId: WorkspaceId, { scope, key }: IdempotencyClaim) => [
  workspaceId,
  scope,
  key,
];

/** What an encrypted answer is bound to. */
const boundOf = (workspaceId: WorkspaceId, claim: IdempotencyClaim) =>
  nameOf(workspaceId, claim).join(' ');

const oldest = (at: Date) => new Date(at.getTime() - IDEMPOTENCY_KEY_MS);

/** Returns null once the key belongs to this request, otherwise what an earlier one stored. */
async function claimKey(
  transaction: Queryable,
  workspaceId: WorkspaceId,
  claim: IdempotencyClaim,
  at: Date,
): Promise<KnownKey | null> {
  const name = nameOf(workspaceId, claim);
  await transaction.query(
    `DELETE FROM idempotency_keys
     WHERE workspace_id = $1 AND scope = $2 AND key = $3 AND created_at <= $4`,
    [...name, oldest(at)],
  );
  const { rowCount } = await transaction.query(
    `INSERT INTO idempotency_keys (workspace_id, scope, key, fingerprint, created_at)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [...name, claim.fingerprint, at],
  );
  return rowCount === 1 ? null : findKey(transaction, workspaceId, claim, at);
}

async function findKey(
  database: Queryable,
  workspaceId: WorkspaceId,
  claim: IdempotencyClaim,
  at: Date,
): Promise<KnownKey | null> {
  const { rows } = await database.query<KnownKey>(
    `SELECT fingerprint, answer FROM idempotency_keys
     WHERE workspace_id = $1 AND scope = $2 AND key = $3 AND created_at > $4`,
    [...nameOf(workspaceId, claim), oldest(at)],
  );
  return rows[0] ?? null;
}
