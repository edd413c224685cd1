import { Inject, Injectable } from '@nestjs/common';
import {
  type ApiKeyId,
  type KeyMode,
  type KeyPermission,
  newId,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { BoundedMap, DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import { brandOf } from '@watchword/telephony';
import type { StoredSettings } from '../settings/setting-roles.policy.js';
import { effectiveSettings } from '../settings/workspace-settings.policy.js';
import type { WorkspaceOrigin } from '../workspaces/workspace.js';
import type { AgentBounds, ApiKey } from './api-key.js';
import type { IssuedToken } from './api-token.js';
import type { Caller } from './key-directory.port.js';

export interface NewApiKey extends Partial<AgentBounds> {
  workspaceId: WorkspaceId;
  issued: IssuedToken;
  mode: KeyMode;
  permission: KeyPermission;
  name: string;
  /** A member of the workspace. Absent for an operator. */
  createdBy?: UserId;
}

const findCallers = statement(
  'gateway_find_callers',
  `SELECT encode(k.token_hash, 'hex') AS token_hash,
          version.version AS settings_version, version.key_version,
          k.id AS key_id, k.last4, k.mode, k.permission, k.daily_budget_credits, k.countries, w.id AS workspace_id, w.name, w.billing_country,
          w.settings AS chosen, w.setting_floors AS floors, w.origin, w.trial_credits_pending, w.suspended_at IS NOT NULL AS is_suspended
   FROM settings_version AS version, api_keys k JOIN workspaces w ON w.id = k.workspace_id
   WHERE k.token_hash = ANY (SELECT decode(hash, 'hex') FROM unnest($1::text[]) AS hash)
     AND k.revoked_at IS NULL`,
);

const readVersions = statement(
  'gateway_read_versions',
  'SELECT version AS settings_version, key_version FROM settings_version',
);

/** What a gateway compares to know whether its memory is current. */
export interface Versions {
  settings_version: number;
  key_version: number;
}

interface CallerRow extends StoredSettings, Versions {
  token_hash: string;
  key_id: ApiKeyId;
  last4: string;
  mode: KeyMode;
  permission: KeyPermission;
  daily_budget_credits: number | null;
  countries: string[] | null;
  workspace_id: WorkspaceId;
  name: string;
  billing_country: string;
  origin: WorkspaceOrigin;
  trial_credits_pending: number;
  is_suspended: boolean;
}

const COLUMNS = `id, workspace_id AS "workspaceId", mode, permission, name, prefix, last4,
  daily_budget_credits AS "dailyBudgetCredits", countries, created_at AS "createdAt", revoked_at AS "revokedAt",
  (SELECT json_build_object('id', maker.id, 'email', maker.email) FROM users AS maker
   WHERE maker.id = created_by) AS "createdBy"`;

const CREATED_MAX = 1_000;

/** Keys at rest: hashed, and never deleted, because audit rows name revoked keys too. */
@Injectable()
export class ApiKeyStore {
  private readonly created = new BoundedMap<string, true>(CREATED_MAX);

  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns the callers of valid keys by hash. The versions are null when none is found. */
  async findCallers(
    tokenHashes: readonly string[],
  ): Promise<{ callers: Map<string, Caller>; versions: Versions | null }> {
    const { rows } = await this.database.query<CallerRow>(findCallers, [tokenHashes]);
    const callers = new Map(rows.map((row) => [row.token_hash, callerOf(row)]));
    return { callers, versions: rows[0] ?? null };
  }

  async readVersions(): Promise<Versions> {
    const { rows } = await this.database.query<Versions>(readVersions, []);
    return rows[0]!;
  }

  /**
   * Inserts a key. A repetition with the same token changes nothing. Returns null when its maker is
   * no member any more: a removal that runs meanwhile is waited for, so it misses no key.
   */
  async insert(key: NewApiKey, database: Queryable = this.database): Promise<ApiKey | null> {
    const { workspaceId, issued, mode, permission, name } = key;
    const { dailyBudgetCredits = null, countries = null, createdBy = null } = key;
    const { rows } = await database.query<ApiKey>(
      `INSERT INTO api_keys
         (id, workspace_id, token_hash, mode, permission, name, prefix, last4,
          daily_budget_credits, countries, created_by)
       SELECT $1, $2, decode($3, 'hex'), $4, $5, $6, $7, $8, $9::bigint, $10::text[], $11::uuid
       WHERE $11 IS NULL OR EXISTS (
         SELECT FROM memberships WHERE workspace_id = $2 AND user_id = $11 FOR KEY SHARE)
       ON CONFLICT (token_hash) DO UPDATE SET token_hash = excluded.token_hash
       RETURNING ${COLUMNS}`,
      [
        ...[newId(), workspaceId, issued.tokenHash, mode, permission, name],
        ...[issued.prefix, issued.last4, dailyBudgetCredits, countries, createdBy],
      ],
    );
    if (rows[0]) this.created.set(issued.tokenHash, true);
    return rows[0] ?? null;
  }

  /**
   * Whether this process created a key with this hash lately. Such a credential is no guess, so an
   * address over its limit may use it at once.
   */
  isNew(tokenHash: string): boolean {
    return this.created.get(tokenHash) === true;
  }

  /** Lists keys before `beforeId`, newest first. */
  async list(workspaceId: WorkspaceId, limit: number, beforeId: string | null): Promise<ApiKey[]> {
    const { rows } = await this.database.query<ApiKey>(
      `SELECT ${COLUMNS} FROM api_keys
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id < $2)
       ORDER BY id DESC LIMIT $3`,
      [workspaceId, beforeId, limit],
    );
    return rows;
  }

  /**
   * Revokes a key and returns it, also when it was revoked before. Null when the workspace has no
   * such key.
   */
  async revoke(keyId: ApiKeyId, workspaceId: WorkspaceId | null): Promise<ApiKey | null> {
    const { rows } = await this.database.query<ApiKey>(
      `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now())
       WHERE id = $1 AND ($2::uuid IS NULL OR workspace_id = $2) RETURNING ${COLUMNS}`,
      [keyId, workspaceId],
    );
    return rows[0] ?? null;
  }

  /** Lists the keys that a user made in a workspace and that are valid. */
  async listValidOf(
    userId: UserId,
    workspaceId: WorkspaceId,
    database: Queryable,
  ): Promise<Pick<ApiKey, 'id' | 'mode'>[]> {
    const { rows } = await database.query<Pick<ApiKey, 'id' | 'mode'>>(
      `SELECT id, mode FROM api_keys
       WHERE workspace_id = $1 AND created_by = $2 AND revoked_at IS NULL ORDER BY id`,
      [workspaceId, userId],
    );
    return rows;
  }

  async revokeThese(keyIds: readonly ApiKeyId[], database: Queryable): Promise<void> {
    await database.query(
      'UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = ANY ($1::uuid[])',
      [keyIds],
    );
  }

  /** Revokes the keys that are valid. Returns how many they were. */
  async revokeAll(workspaceIds: readonly WorkspaceId[], database: Queryable): Promise<number> {
    const { rowCount } = await database.query(
      `UPDATE api_keys SET revoked_at = now()
       WHERE workspace_id = ANY ($1::uuid[]) AND revoked_at IS NULL`,
      [workspaceIds],
    );
    return rowCount;
  }
}

function callerOf(row: CallerRow): Caller {
  return {
    keyId: row.key_id,
    last4: row.last4,
    mode: row.mode,
    permission: row.permission,
    ...(row.permission === 'agent' && {
      agent: { dailyBudgetCredits: row.daily_budget_credits, countries: row.countries },
    }),
    workspace: {
      id: row.workspace_id,
      name: row.name,
      brand: brandOf(row.name),
      settings: effectiveSettings(row.billing_country, row),
      origin: row.origin,
      trialCreditsPending: row.trial_credits_pending,
      isSuspended: row.is_suspended,
    },
  };
}
