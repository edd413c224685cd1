import { IDEMPOTENCY_KEY_HOURS, type IdempotencyClaim } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';

export interface EntryClaim {
  fingerprint: string;
  entryId: string | null;
}

const find = statement(
  'billing.find-entry-claim',
  `SELECT fingerprint, entry_id AS "entryId" FROM billing.idempotency_keys
   WHERE workspace_id = $1 AND scope = $2 AND key = $3
     AND created_at > $4::timestamptz - interval '${IDEMPOTENCY_KEY_HOURS} hours'`,
);

/** The caller holds the account's lock, so a row in the way is one that no longer counts. */
const bind = statement(
  'billing.bind-entry-claim',
  `INSERT INTO billing.idempotency_keys (
     workspace_id, scope, key, fingerprint, entry_id, created_at
   ) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id, scope, key) DO UPDATE
   SET fingerprint = excluded.fingerprint, entry_id = excluded.entry_id, message_id = NULL,
     batch_id = NULL, created_at = excluded.created_at`,
);

/** Keys of top-ups; those of sends are handled by the acceptance function. */
export class IdempotencyKeyStore {
  constructor(private readonly database: Queryable) {}

  async find(
    workspaceId: string,
    { scope, key }: IdempotencyClaim,
    at: Date,
  ): Promise<EntryClaim | undefined> {
    const values = [workspaceId, scope, key, at];
    return (await this.database.query<EntryClaim>(find, values)).rows[0];
  }

  async bind(
    workspaceId: string,
    { scope, key, fingerprint }: IdempotencyClaim,
    entryId: string,
    at: Date,
  ): Promise<void> {
    await this.database.query(bind, [workspaceId, scope, key, fingerprint, entryId, at]);
  }
}
