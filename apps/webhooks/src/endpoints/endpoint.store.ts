import { newId } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';
import type { Endpoint } from './endpoint.js';
import type { SecretCipher } from './secret-cipher.js';

interface EndpointRow extends Omit<Endpoint, 'secret' | 'previousSecret'> {
  secret: Buffer;
  previousSecret: Buffer | null;
}

const columns = `
  id, workspace_id AS "workspaceId", url, events, status, secret,
  previous_secret AS "previousSecret", previous_expires_at AS "previousExpiresAt", version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const ownOf = `workspace_id = $1 AND variant = 'a' AND deleted_at IS NULL`;

const findOwn = statement(
  'webhooks.find-own-endpoint',
  `SELECT ${columns} FROM webhooks.endpoints WHERE ${ownOf}`,
);

const findMany = statement(
  'webhooks.find-endpoints',
  `SELECT ${columns} FROM webhooks.endpoints
   WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL`,
);

/** Asking again changes the address and the events, opens a closed endpoint, and keeps the secret. */
const putOwn = statement(
  'webhooks.put-own-endpoint',
  `INSERT INTO webhooks.endpoints AS endpoint (
     workspace_id, id, variant, url, events, status, secret, created_at, updated_at
   ) VALUES ($1, $2, 'a', $3, $4, 'enabled', $5, $6, $6)
   ON CONFLICT (workspace_id) WHERE variant = 'a' AND deleted_at IS NULL DO UPDATE
   SET url = excluded.url, events = excluded.events, status = 'enabled',
     failing_since = NULL, failure_count = 0,
     version = endpoint.version + 1, updated_at = excluded.updated_at
   RETURNING ${columns}`,
);

const deleteOwn = statement(
  'webhooks.delete-own-endpoint',
  `UPDATE webhooks.endpoints
   SET deleted_at = $2, updated_at = $2, version = version + 1, secret = NULL,
     previous_secret = NULL, previous_expires_at = NULL, failing_since = NULL, failure_count = 0
   WHERE ${ownOf}`,
);

const replaceSecret = statement(
  'webhooks.replace-secret',
  `UPDATE webhooks.endpoints
   SET previous_secret = secret, previous_expires_at = $4, secret = $3, version = version + 1,
     updated_at = $5
   WHERE ${ownOf} AND id = $2
   RETURNING id`,
);

/** Endpoints and their secrets, which leave this file in clear and enter the database encrypted. */
export class EndpointStore {
  constructor(
    private readonly database: Queryable,
    private readonly cipher: SecretCipher,
  ) {}

  async findOwn(workspaceId: string): Promise<Endpoint | null> {
    const { rows } = await this.database.query<EndpointRow>(findOwn, [workspaceId]);
    return rows[0] ? this.inClear(rows[0]) : null;
  }

  async findMany(ids: readonly string[]): Promise<Endpoint[]> {
    const { rows } = await this.database.query<EndpointRow>(findMany, [ids]);
    return rows.map((row) => this.inClear(row));
  }

  /** `secret` counts only when the endpoint is new. */
  async putOwn(
    workspaceId: string,
    wanted: { url: string; events: readonly string[] | null; secret: string; at: Date },
  ): Promise<Endpoint> {
    const id = newId();
    const { rows } = await this.database.query<EndpointRow>(putOwn, [
      workspaceId,
      id,
      wanted.url,
      wanted.events,
      this.cipher.encrypt(wanted.secret, id),
      wanted.at,
    ]);
    return this.inClear(rows[0]!);
  }

  async deleteOwn(workspaceId: string, at: Date): Promise<boolean> {
    const { rowCount } = await this.database.query(deleteOwn, [workspaceId, at]);
    return rowCount > 0;
  }

  /** False when the endpoint is gone. */
  async replaceSecret(
    endpoint: Pick<Endpoint, 'id' | 'workspaceId'>,
    change: { secret: string; previousExpiresAt: Date; at: Date },
  ): Promise<boolean> {
    const { rowCount } = await this.database.query(replaceSecret, [
      endpoint.workspaceId,
      endpoint.id,
      this.cipher.encrypt(change.secret, endpoint.id),
      change.previousExpiresAt,
      change.at,
    ]);
    return rowCount > 0;
  }

  private inClear(row: EndpointRow): Endpoint {
    const reveal = (stored: Buffer) => this.cipher.decrypt(stored, row.id);
    return {
      ...row,
      secret: reveal(row.secret),
      previousSecret: row.previousSecret === null ? null : reveal(row.previousSecret),
    };
  }
}
