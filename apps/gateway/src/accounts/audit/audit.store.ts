import { Inject, Injectable } from '@nestjs/common';
import { newId, type UserId, type WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';

/**
 * The maker of a call: an operator, by the token (null) or as a user, or a user of a workspace. The
 * workspace of an operator's call is that of its path.
 */
export type Actor = { readonly workspaceId: WorkspaceId | null } & (
  | { readonly kind: 'operator'; readonly userId: UserId | null }
  | { readonly kind: 'user'; readonly userId: UserId }
);

export interface AuditedCall {
  actor: Actor;
  requestId: string;
  method: string;
  path: string;
  clientIp: string;
}

/** What a call did. It must not contain a key or a secret. */
export type Effect = Record<string, unknown>;

export interface AuditRecord {
  id: string;
  actor: 'operator' | 'user';
  userId: UserId | null;
  workspaceId: WorkspaceId | null;
  email: string | null;
  method: string;
  path: string;
  clientIp: string;
  requestId: string;
  status: number | null;
  effect: Effect | null;
  startedAt: Date;
}

/** The audit log: a row before a call takes effect, its outcome afterwards. */
@Injectable()
export class AuditStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async begin({ actor, requestId, method, path, clientIp }: AuditedCall): Promise<string> {
    const id = newId();
    await this.database.query(
      `INSERT INTO audit_records
         (id, actor, user_id, workspace_id, request_id, method, path, client_ip)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, actor.kind, actor.userId, actor.workspaceId, requestId, method, path, clientIp],
    );
    return id;
  }

  /** Stores the outcome. An operator's call belongs to the workspace that its effect names. */
  async complete(id: string, status: number, effect: Effect | undefined): Promise<void> {
    await this.database.query(
      `UPDATE audit_records
       SET status = $2, effect = $3, completed_at = now(),
         workspace_id = coalesce(workspace_id, ($3::jsonb ->> 'workspace_id')::uuid)
       WHERE id = $1`,
      [id, status, effect === undefined ? null : JSON.stringify(effect)],
    );
  }

  /** Stores a row of the same call for each further workspace that an effect names. */
  async repeat(id: string, status: number, effects: readonly Effect[]): Promise<void> {
    const further = effects.map((effect) => ({ id: newId(), effect }));
    await this.database.query(
      `INSERT INTO audit_records (id, actor, user_id, workspace_id, request_id, method, path,
         client_ip, status, effect, started_at, completed_at)
       SELECT further.id, actor, user_id, (further.effect ->> 'workspace_id')::uuid, request_id,
         method, path, client_ip, $2, further.effect, started_at, now()
       FROM audit_records AS record,
         jsonb_to_recordset($3::jsonb) AS further (id uuid, effect jsonb)
       WHERE record.id = $1`,
      [id, status, JSON.stringify(further)],
    );
  }

  /** Lists rows before `beforeId`, newest first. Null lists every workspace. */
  async list(
    workspaceId: WorkspaceId | null,
    limit: number,
    beforeId: string | null,
  ): Promise<AuditRecord[]> {
    const { rows } = await this.database.query<AuditRecord>(
      `SELECT record.id, actor, user_id AS "userId", workspace_id AS "workspaceId", email, method, path, status, effect,
         client_ip AS "clientIp", request_id AS "requestId", started_at AS "startedAt"
       FROM audit_records AS record LEFT JOIN users ON users.id = record.user_id
       WHERE ($1::uuid IS NULL OR workspace_id = $1) AND ($2::uuid IS NULL OR record.id < $2)
       ORDER BY record.id DESC LIMIT $3`,
      [workspaceId, beforeId, limit],
    );
    return rows;
  }
}
