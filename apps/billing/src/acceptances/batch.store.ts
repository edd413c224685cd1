import {
  IDEMPOTENCY_KEY_HOURS,
  type IdempotencyClaim,
  type MessageId,
  type WorkspaceId,
} from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';
import { acceptMessages, acceptParameters, inOrder, type Verdict } from './accept.store.js';
import type { Acceptance } from './acceptance.js';

export interface BatchClaim {
  fingerprint: string;
  /** Null when the key belongs to something else than a batch. */
  answer: string | null;
}

const lock = statement(
  'billing.lock-account-of-batch',
  'SELECT FROM billing.accounts WHERE workspace_id = $1 FOR UPDATE',
);

const find = statement(
  'billing.find-batch',
  `SELECT known.fingerprint, batch.answer FROM billing.idempotency_keys AS known
   LEFT JOIN billing.batches AS batch ON batch.id = known.batch_id
   WHERE known.workspace_id = $1 AND known.scope = $2 AND known.key = $3
     AND known.created_at > $4::timestamptz - interval '${IDEMPOTENCY_KEY_HOURS} hours'`,
);

/** The caller holds the account, so a row in the way has expired. */
const record = statement(
  'billing.record-batch',
  `WITH recorded AS (
     INSERT INTO billing.batches (id, workspace_id, answer, created_at) VALUES ($1, $2, $3, $4)
   )
   INSERT INTO billing.idempotency_keys (
     workspace_id, scope, key, fingerprint, batch_id, created_at
   ) VALUES ($2, $5, $6, $7, $1, $4)
   ON CONFLICT (workspace_id, scope, key) DO UPDATE
   SET fingerprint = excluded.fingerprint, batch_id = excluded.batch_id, message_id = NULL,
     entry_id = NULL, created_at = excluded.created_at`,
);

const findCommands = statement(
  'billing.find-commands-of-batch',
  'SELECT message_id AS id, command FROM billing.acceptances WHERE message_id = ANY ($1::uuid[])',
);

/** The statements of a batch's transaction, and the look-up of its answer. */
export class BatchStore {
  constructor(private readonly database: Queryable) {}

  /** Locks the account until the transaction ends. Returns false when the workspace has none. */
  async lockAccount(workspaceId: WorkspaceId): Promise<boolean> {
    return (await this.database.query(lock, [workspaceId])).rowCount === 1;
  }

  async find(
    workspaceId: WorkspaceId,
    { scope, key }: IdempotencyClaim,
    at: string,
  ): Promise<BatchClaim | undefined> {
    return (await this.database.query<BatchClaim>(find, [workspaceId, scope, key, at])).rows[0];
  }

  async accept(batch: readonly Acceptance[], acceptedAt: string): Promise<Verdict[]> {
    const parameters = acceptParameters(batch, acceptedAt);
    const { rows } = await this.database.query<Verdict & { ordinal: number }>(
      acceptMessages,
      parameters,
    );
    return inOrder(rows);
  }

  async record(
    batch: { id: string; workspaceId: WorkspaceId; answer: string; acceptedAt: string },
    { scope, key, fingerprint }: IdempotencyClaim,
  ): Promise<void> {
    const { id, workspaceId, answer, acceptedAt } = batch;
    const values = [id, workspaceId, answer, acceptedAt, scope, key, fingerprint];
    await this.database.query(record, values);
  }

  async findCommands(messageIds: readonly MessageId[]): Promise<Map<string, string>> {
    const { rows } = await this.database.query<{ id: string; command: string }>(findCommands, [
      messageIds,
    ]);
    return new Map(rows.map(({ id, command }) => [id, command]));
  }
}
