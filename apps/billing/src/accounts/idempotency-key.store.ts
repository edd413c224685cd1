import {
  type EntryId,
  IDEMPOTENCY_KEY_HOURS,
  type IdempotencyClaim,
  type PaymentId,
  type WorkspaceId,
} from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';

/** What was done under a key: a top-up or a payment. */
export interface KeyedEffect {
  readonly entryId: EntryId | null;
  readonly paymentId: PaymentId | null;
}

export type KnownClaim = KeyedEffect & { readonly fingerprint: string };

const find = statement(
  'billing.find-claim',
  `SELECT fingerprint, entry_id AS "entryId", payment_id AS "paymentId"
   FROM billing.idempotency_keys
   WHERE workspace_id = $1 AND scope = $2 AND key = $3
     AND created_at > $4::timestamptz - interval '${IDEMPOTENCY_KEY_HOURS} hours'`,
);

/** The caller holds the account's lock, so a row in the way has expired. */
const bind = statement(
  'billing.bind-claim',
  `INSERT INTO billing.idempotency_keys (
     workspace_id, scope, key, fingerprint, entry_id, payment_id, created_at
   ) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (workspace_id, scope, key) DO UPDATE
   SET fingerprint = excluded.fingerprint, entry_id = excluded.entry_id,
     payment_id = excluded.payment_id, message_id = NULL, batch_id = NULL,
     created_at = excluded.created_at`,
);

/** Keys of top-ups and payments; those of sends are handled by the acceptance function. */
export class AccountIdempotencyKeyStore {
  constructor(private readonly database: Queryable) {}

  async find(
    workspaceId: WorkspaceId,
    { scope, key }: IdempotencyClaim,
    at: Date,
  ): Promise<KnownClaim | undefined> {
    const values = [workspaceId, scope, key, at];
    return (await this.database.query<KnownClaim>(find, values)).rows[0];
  }

  async bind(
    workspaceId: WorkspaceId,
    { scope, key, fingerprint }: IdempotencyClaim,
    { entryId = null, paymentId = null }: Partial<KeyedEffect>,
    at: Date,
  ): Promise<void> {
    const values = [workspaceId, scope, key, fingerprint, entryId, paymentId, at];
    await this.database.query(bind, values);
  }
}
