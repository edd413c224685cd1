import { Inject, Injectable } from '@nestjs/common';
import { type EndpointId, newId, type WorkspaceId } from '@watchword/contracts';
import { DATABASE, KeyRing } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { Endpoint } from './endpoint.js';

interface EndpointRow extends Omit<Endpoint, 'secret' | 'previousSecret'> {
  secret: Buffer;
  previousSecret: Buffer | null;
}

/** What `change` sets. An absent member means unchanged. */
export interface EndpointChange {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
  readonly status?: 'enabled' | 'disabled' | undefined;
  readonly trial: boolean;
  readonly untested: boolean;
}

const COLUMNS = `
  id, workspace_id AS "workspaceId", variant, url, events, description, status,
  disabled_reason AS "disabledReason", pace, trial, untested, secret,
  previous_secret AS "previousSecret", previous_expires_at AS "previousExpiresAt", version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const WELL = 'failing_since = NULL, failure_count = 0';
const OWN_OF = `workspace_id = $1 AND variant = 'a' AND deleted_at IS NULL`;
const NAMED_OF = `workspace_id = $1 AND id = $2 AND variant = 'b' AND deleted_at IS NULL`;

const findOwn = statement(
  'webhooks.find-own-endpoint',
  `SELECT ${COLUMNS} FROM webhooks.endpoints WHERE ${OWN_OF}`,
);

const findNamed = statement(
  'webhooks.find-endpoint',
  `SELECT ${COLUMNS} FROM webhooks.endpoints WHERE ${NAMED_OF}`,
);

const findAll = statement(
  'webhooks.find-endpoints-of-workspace',
  `SELECT ${COLUMNS} FROM webhooks.endpoints
   WHERE workspace_id = $1 AND variant = 'b' AND deleted_at IS NULL ORDER BY id DESC`,
);

const findMany = statement(
  'webhooks.find-endpoints',
  `SELECT ${COLUMNS} FROM webhooks.endpoints
   WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL`,
);

/** Endpoints of a trial of both variants count, else those of variant B. */
const countOf = (trial: string) => `(
  SELECT count(*) FROM webhooks.endpoints
  WHERE workspace_id = $1 AND (variant = 'b' OR ${trial}::boolean) AND deleted_at IS NULL)`;

/**
 * Repeating it changes the address and the events, opens a closed endpoint, and keeps the secret.
 */
const putOwn = statement(
  'webhooks.put-own-endpoint',
  `INSERT INTO webhooks.endpoints AS endpoint (
     workspace_id, id, variant, url, events, status, secret, created_at, updated_at, trial, untested
   )
   SELECT $1::uuid, $2::uuid, 'a', $3::text, $4::text[], 'enabled', $5::bytea, $6::timestamptz,
     $6::timestamptz, $7, $8::boolean
   WHERE NOT $7::boolean OR EXISTS (SELECT FROM webhooks.endpoints WHERE ${OWN_OF})
     OR ${countOf('$7')} < $9
   ON CONFLICT (workspace_id) WHERE variant = 'a' AND deleted_at IS NULL DO UPDATE
   SET url = excluded.url, events = excluded.events, status = 'enabled', disabled_reason = NULL,
     closing = false, pace = NULL, trial = excluded.trial, untested = excluded.untested, ${WELL}, version = endpoint.version + 1, updated_at = excluded.updated_at
   RETURNING ${COLUMNS}`,
);

/** Serialises the creation of a workspace's endpoints, so that they can be counted. */
const lockWorkspace = statement(
  'webhooks.lock-workspace-of-endpoints',
  `SELECT pg_advisory_xact_lock(hashtextextended($1, 11))`,
);

const create = statement(
  'webhooks.create-endpoint',
  `INSERT INTO webhooks.endpoints (
     workspace_id, id, variant, url, events, description, status, secret, created_at, updated_at,
     trial, untested
   )
   SELECT $1::uuid, $2::uuid, 'b', $3::text, $4::text[], $5::text, 'enabled', $6::bytea,
     $7::timestamptz, $7::timestamptz, $9, $9
   WHERE ${countOf('$9')} < $8
   RETURNING ${COLUMNS}`,
);

/** A new address resets the endpoint's pace, and so does enabling it. */
const change = statement(
  'webhooks.change-endpoint',
  `UPDATE webhooks.endpoints AS endpoint
   SET url = coalesce($3::text, url), events = coalesce($4::text[], events),
     description = CASE WHEN $5::boolean THEN $6::text ELSE description END,
     status = coalesce($7::text, status),
     disabled_reason = CASE
       WHEN $7 = 'enabled' THEN NULL
       WHEN $7 = 'disabled' AND status = 'enabled' THEN 'requested'
       ELSE disabled_reason END,
     closing = CASE
       WHEN $7 = 'enabled' THEN false
       WHEN $7 = 'disabled' AND status = 'enabled' THEN true
       ELSE closing END,
     pace = CASE WHEN $3 <> url THEN NULL ELSE pace END,
     trial = $9, untested = $10,
     ${WELL}, version = version + 1, updated_at = $8
   WHERE ${NAMED_OF}
   RETURNING ${COLUMNS}`,
);

const remove = (condition: string, at: string) =>
  `UPDATE webhooks.endpoints
   SET deleted_at = ${at}, updated_at = ${at}, version = version + 1, secret = NULL,
     previous_secret = NULL, previous_expires_at = NULL, closing = true, notice_event_id = NULL,
     ${WELL}
   WHERE ${condition} RETURNING id`;

const deleteOwn = statement('webhooks.delete-own-endpoint', remove(OWN_OF, '$2'));
const deleteNamed = statement('webhooks.delete-endpoint', remove(NAMED_OF, '$3'));

const replaceSecret = statement(
  'webhooks.replace-secret',
  `UPDATE webhooks.endpoints
   SET previous_secret = secret, previous_expires_at = $4, secret = $3, version = version + 1,
     updated_at = $5
   WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL
   RETURNING id`,
);

/** See the function beside this file. */
const releaseHeld = statement(
  'webhooks.release-held-deliveries',
  'SELECT webhooks.release_held_deliveries($1, $2, $3)',
);

const findTrials = statement(
  'webhooks.find-endpoints-of-trials',
  `SELECT id FROM webhooks.endpoints WHERE workspace_id = ANY ($1::uuid[]) AND trial`,
);

const rememberPaces = statement(
  'webhooks.remember-paces',
  `UPDATE webhooks.endpoints AS endpoint SET pace = changed.pace
   FROM unnest($1::uuid[], $2::text[]) AS changed (id, pace)
   WHERE endpoint.id = changed.id AND endpoint.pace IS DISTINCT FROM changed.pace`,
);

/**
 * Endpoints and their secrets. The database has the secrets encrypted; callers get them in clear.
 */
@Injectable()
export class EndpointStore {
  constructor(
    @Inject(DATABASE) private readonly database: Queryable,
    @Inject(KeyRing) private readonly cipher: KeyRing,
  ) {}

  within(transaction: Queryable): EndpointStore {
    return new EndpointStore(transaction, this.cipher);
  }

  findOwn(workspaceId: WorkspaceId): Promise<Endpoint | null> {
    return this.one(findOwn, [workspaceId]);
  }

  find(workspaceId: WorkspaceId, id: EndpointId): Promise<Endpoint | null> {
    return this.one(findNamed, [workspaceId, id]);
  }

  /** Returns the endpoints of variant B, newest first. */
  async findAll(workspaceId: WorkspaceId): Promise<Endpoint[]> {
    const { rows } = await this.database.query<EndpointRow>(findAll, [workspaceId]);
    return rows.map((row) => this.inClear(row));
  }

  /** Leaves out endpoints whose secret no key opens, and logs them. */
  async findMany(
    ids: readonly string[],
    unreadable: (id: EndpointId, error: unknown) => void,
  ): Promise<Endpoint[]> {
    const { rows } = await this.database.query<EndpointRow>(findMany, [ids]);
    return rows.flatMap((row) => {
      try {
        return [this.inClear(row)];
      } catch (error) {
        unreadable(row.id, error);
        return [];
      }
    });
  }

  /**
   * `secret` applies only to a new endpoint. Returns null when a trial already has `trialMax`. Call it in a transaction.
   */
  async putOwn(
    workspaceId: WorkspaceId,
    wanted: {
      url: string;
      events: readonly string[] | null;
      secret: string;
      at: Date;
      trial: boolean;
      untested: boolean;
      trialMax: number;
    },
  ): Promise<Endpoint | null> {
    const { url, events, secret, at, trial, untested, trialMax } = wanted;
    const id = newId();
    await this.database.query(lockWorkspace, [workspaceId]);
    const sealed = this.cipher.seal(secret, id);
    const values = [workspaceId, id, url, events, sealed, at, trial, untested, trialMax];
    return this.one(putOwn, values);
  }

  /** Returns null when the workspace already has `max`. Call it in a transaction. */
  async create(
    workspaceId: WorkspaceId,
    wanted: {
      url: string;
      events: readonly string[];
      description: string | null;
      secret: string;
      at: Date;
      max: number;
      trial: boolean;
    },
  ): Promise<Endpoint | null> {
    const { url, events, description, secret, at, max, trial } = wanted;
    const id = newId();
    await this.database.query(lockWorkspace, [workspaceId]);
    const sealed = this.cipher.seal(secret, id);
    const values = [workspaceId, id, url, events, description, sealed, at, max, trial];
    return this.one(create, values);
  }

  change(
    workspaceId: WorkspaceId,
    id: EndpointId,
    wanted: EndpointChange,
    at: Date,
  ): Promise<Endpoint | null> {
    const { url = null, events = null, description, status = null, trial, untested } = wanted;
    const isDescribed = description !== undefined;
    const described = [isDescribed, description ?? null];
    const values = [workspaceId, id, url, events, ...described, status, at, trial, untested];
    return this.one(change, values);
  }

  /** The id of the deleted endpoint. */
  async deleteOwn(workspaceId: WorkspaceId, at: Date): Promise<EndpointId | null> {
    const { rows } = await this.database.query<{ id: EndpointId }>(deleteOwn, [workspaceId, at]);
    return rows[0]?.id ?? null;
  }

  async delete(workspaceId: WorkspaceId, id: EndpointId, at: Date): Promise<boolean> {
    return (await this.database.query(deleteNamed, [workspaceId, id, at])).rowCount > 0;
  }

  /** Returns false when the endpoint is gone. */
  async replaceSecret(
    endpoint: Pick<Endpoint, 'id' | 'workspaceId'>,
    replacement: { secret: string; previousExpiresAt: Date; at: Date },
  ): Promise<boolean> {
    const { rowCount } = await this.database.query(replaceSecret, [
      endpoint.workspaceId,
      endpoint.id,
      this.cipher.seal(replacement.secret, endpoint.id),
      replacement.previousExpiresAt,
      replacement.at,
    ]);
    return rowCount > 0;
  }

  /** The endpoints are not untested any more, and what was held is due. `endsTrial`: nor are they of a trial. */
  async releaseHeld(ids: readonly EndpointId[], endsTrial: boolean, at: Date): Promise<void> {
    await this.database.query(releaseHeld, [ids, endsTrial, at]);
  }

  async findTrials(workspaceIds: readonly WorkspaceId[]): Promise<EndpointId[]> {
    const { rows } = await this.database.query<{ id: EndpointId }>(findTrials, [workspaceIds]);
    return rows.map(({ id }) => id);
  }

  async rememberPaces(paces: ReadonlyMap<string, string>): Promise<void> {
    await this.database.query(rememberPaces, [[...paces.keys()], [...paces.values()]]);
  }

  private async one(
    query: Parameters<Queryable['query']>[0],
    values: readonly unknown[],
  ): Promise<Endpoint | null> {
    const { rows } = await this.database.query<EndpointRow>(query, values);
    return rows[0] ? this.inClear(rows[0]) : null;
  }

  private inClear(row: EndpointRow): Endpoint {
    const reveal = (stored: Buffer) => this.cipher.open(stored, row.id);
    return {
      ...row,
      secret: reveal(row.secret),
      previousSecret: row.previousSecret === null ? null : reveal(row.previousSecret),
    };
  }
}
