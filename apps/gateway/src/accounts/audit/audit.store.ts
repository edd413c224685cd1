import { Inject, Injectable } from '@nestjs/common';
import { newId, type UserId, type WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';

/** The maker of a call: an operator, by the token (null) or as a user, or a user of a workspace. */
export type Actor =
  | { readonly kind: 'operator'; readonly userId: UserId | null }
  | { readonly kind: 'user'; readonly userId: UserId; readonly workspaceId: WorkspaceId | null };

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
    const workspaceId = actor.kind === 'user' ? actor.workspaceId : null;
    await this.database.query(
      `INSERT INTO audit_records
         (id, actor, user_id, workspace_id, request_id, method, path, client_ip)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, actor.kind, actor.userId, workspaceId, requestId, method, path, clientIp],
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
