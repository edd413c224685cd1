import { Inject, Injectable } from '@nestjs/common';
import type { IdempotencyClaim, WorkspaceId } from '@watchword/contracts';
import { IDEMPOTENCY_KEY_MS } from '@watchword/contracts';
import { DATABASE, KeyRing } from '@watchword/platform';
import { type Queryable, statement, type Transactional } from '@watchword/postgres';

export type Keyed<Answer> =
  { replayed: boolean; answer: Answer } | { verdict: 'idempotency_conflict' };

/** Thrown to undo a refused effect, so that its key stays free. */
class Refused extends Error {
  constructor(readonly answer: unknown) {
    super('the effect was refused');
  }
}

const expire = statement(
  'webhooks.expire-idempotency-key',
  `DELETE FROM webhooks.idempotency_keys
   WHERE workspace_id = $1 AND scope = $2 AND key = $3 AND created_at <= $4`,
);

const claimKey = statement(
  'webhooks.claim-idempotency-key',
  `INSERT INTO webhooks.idempotency_keys (workspace_id, scope, key, fingerprint, created_at)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
);

const findKey = statement(
  'webhooks.find-idempotency-key',
  `SELECT fingerprint, answer FROM webhooks.idempotency_keys
   WHERE workspace_id = $1 AND scope = $2 AND key = $3 AND created_at > $4`,
);

const keepAnswer = statement(
  'webhooks.keep-idempotent-answer',
  `UPDATE webhooks.idempotency_keys SET answer = $4
   WHERE workspace_id = $1 AND scope = $2 AND key = $3`,
);

interface KeyRow {
  fingerprint: string;
  answer: Buffer;
}

/**
 * Effects that happen once per idempotency key. The key and the answer are written in the effect's
 * transaction, so a second request waits for the first commit and gets its answer.
 */
@Injectable()
export class KeyedEffects {
  constructor(
    @Inject(DATABASE) private readonly database: Transactional,
    @Inject(KeyRing) private readonly cipher: KeyRing,
  ) {}

  /**
   * `isRefused` returns whether an answer means that nothing happened. Such an answer frees the
   * key.
   */
  async once<Answer>(
    workspaceId: WorkspaceId,
    claim: IdempotencyClaim | null,
    at: Date,
    work: (transaction: Queryable) => Promise<Answer>,
    isRefused: (answer: Answer) => boolean,
  ): Promise<Keyed<Answer>> {
    const bound = `${workspaceId} ${claim?.scope} ${claim?.key}`;
    try {
      return await this.database.transaction<Keyed<Answer>>(async (transaction) => {
        const known = claim && (await this.claim(transaction, workspaceId, claim, at));
        if (known) return this.replay<Answer>(known, claim!, bound);
        const answer = await work(transaction);
        if (isRefused(answer)) throw new Refused(answer);
        if (claim) {
          const sealed = this.cipher.seal(JSON.stringify(answer), bound);
          const values = [workspaceId, claim.scope, claim.key, sealed];
          await transaction.query(keepAnswer, values);
        }
        return { replayed: false, answer };
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { replayed: false, answer: error.answer as Answer };
    }
  }

  /** Returns the answer of an earlier effect, or null when the key is free. */
  async find<Answer>(
    workspaceId: WorkspaceId,
    claim: IdempotencyClaim | null,
    at: Date,
  ): Promise<Keyed<Answer> | null> {
    if (claim === null) return null;
    const since = new Date(at.getTime() - IDEMPOTENCY_KEY_MS);
    const values = [workspaceId, claim.scope, claim.key, since];
    const { rows } = await this.database.query<KeyRow>(findKey, values);
    const bound = `${workspaceId} ${claim.scope} ${claim.key}`;
    return rows[0] ? this.replay<Answer>(rows[0], claim, bound) : null;
  }

  private async claim(
    transaction: Queryable,
    workspaceId: WorkspaceId,
    { scope, key, fingerprint }: IdempotencyClaim,
    at: Date,
  ): Promise<KeyRow | null> {
    const since = new Date(at.getTime() - IDEMPOTENCY_KEY_MS);
    await transaction.query(expire, [workspaceId, scope, key, since]);
    const values = [workspaceId, scope, key, fingerprint, at];
    if ((await transaction.query(claimKey, values)).rowCount === 1) return null;
    const { rows } = await transaction.query<KeyRow>(findKey, [workspaceId, scope, key, since]);
    return rows[0] ?? null;
  }

  private replay<Answer>(known: KeyRow, claim: IdempotencyClaim, bound: string): Keyed<Answer> {
    if (known.fingerprint !== claim.fingerprint) return { verdict: 'idempotency_conflict' };
    const answer = JSON.parse(this.cipher.open(known.answer, bound)) as Answer;
    return { replayed: true, answer };
  }
}
