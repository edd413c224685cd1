import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { IDEMPOTENCY_KEY_HOURS, type VerifyResult, type WorkspaceId } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';

const WINDOW = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;
const PURGE_BATCH = 5_000;

export interface KeyName {
  readonly workspaceId: WorkspaceId;
  readonly scope: string;
  readonly key: string;
}

export interface KnownKey extends KeyName {
  readonly fingerprint: string;
  readonly result: VerifyResult;
}

/** Expired keys are deleted first, so that the name is free again on time. */
const find = statement(
  'dispatch_find_keys',
  `SELECT k.workspace_id AS "workspaceId", k.scope, k.key, k.fingerprint, k.answer AS result,
     k.created_at <= $4::timestamptz - ${WINDOW} AS "isPast"
   FROM unnest($1::uuid[], $2::text[], $3::text[]) AS i (workspace_id, scope, key)
   JOIN idempotency_keys k USING (workspace_id, scope, key)`,
);

const remove = statement(
  'dispatch_remove_keys',
  `DELETE FROM idempotency_keys k
   USING unnest($1::uuid[], $2::text[], $3::text[]) AS i (workspace_id, scope, key)
   WHERE k.workspace_id = i.workspace_id AND k.scope = i.scope AND k.key = i.key
     AND k.created_at <= $4::timestamptz - ${WINDOW}`,
);

const purge = statement(
  'dispatch_purge_keys',
  `DELETE FROM idempotency_keys WHERE (workspace_id, key, scope) IN (
     SELECT workspace_id, key, scope FROM idempotency_keys
     WHERE created_at <= $1::timestamptz - ${WINDOW} ORDER BY created_at LIMIT ${PURGE_BATCH})`,
);

@Injectable()
export class IdempotencyKeyStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async find(names: readonly KeyName[], at: Date): Promise<KnownKey[]> {
    if (names.length === 0) return [];
    const parameters = [...columnsOf(names), at];
    type Row = KnownKey & { isPast: boolean };
    const { rows } = await this.database.query<Row>(find, parameters);
    if (rows.some(({ isPast }) => isPast)) await this.database.query(remove, parameters);
    return rows.filter(({ isPast }) => !isPast);
  }

  /** Returns whether there may be more. */
  async purge(at: Date): Promise<boolean> {
    const { rowCount } = await this.database.query(purge, [at]);
    return rowCount === PURGE_BATCH;
  }
}

function columnsOf(names: readonly KeyName[]): string[][] {
  return [
    names.map(({ workspaceId }) => workspaceId),
    names.map(({ scope }) => scope),
    names.map(({ key }) => key),
  ];
}
