import { IDEMPOTENCY_KEY_HOURS, type IdempotencyClaim } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';

const find = statement(
  'billing.find-payment-key',
  `SELECT fingerprint, payment_id AS "paymentId" FROM billing.idempotency_keys
   WHERE workspace_id = $1 AND scope = $2 AND key = $3
     AND created_at > $4::timestamptz - interval '${IDEMPOTENCY_KEY_HOURS} hours'`,
);

/** The caller holds the account, so a row in the way has expired. It is of a payment, too: the scope names the route. */
const bind = statement(
  'billing.bind-payment-key',
  `INSERT INTO billing.idempotency_keys (
     workspace_id, scope, key, fingerprint, payment_id, created_at
   ) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id, scope, key) DO UPDATE
   SET fingerprint = excluded.fingerprint, payment_id = excluded.payment_id,
     created_at = excluded.created_at`,
);

export class PaymentKeyStore {
  constructor(private readonly database: Queryable) {}

  async find(
    workspaceId: string,
    { scope, key }: IdempotencyClaim,
    at: Date,
  ): Promise<{ fingerprint: string; paymentId: string | null } | undefined> {
    const { rows } = await this.database.query<{ fingerprint: string; paymentId: string | null }>(
      find,
      [workspaceId, scope, key, at],
    );
    return rows[0];
  }

  async bind(
    workspaceId: string,
    { scope, key, fingerprint }: IdempotencyClaim,
    paymentId: string,
    at: Date,
  ): Promise<void> {
    await this.database.query(bind, [workspaceId, scope, key, fingerprint, paymentId, at]);
  }
}
