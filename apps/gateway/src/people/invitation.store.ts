import { Inject, Injectable } from '@nestjs/common';
import type { InvitationId, MemberRole, UserId, WorkspaceId } from '@watchword/contracts';
import { storedAddress } from '@watchword/email';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import type { User } from './account.js';

export interface Invitation {
  /** Null for an operator's invitation, with which the address may create a workspace. */
  workspaceId: WorkspaceId | null;
  role: MemberRole;
}

export interface OpenInvitation {
  id: InvitationId;
  email: string;
  role: MemberRole;
  invitedBy: { id: UserId; email: string };
  createdAt: Date;
  expiresAt: Date;
}

/**
 * What makes an invitation valid at a time. Only an owner invites, so it ends with the inviter's
 * place in the workspace. An operator's invitation has no inviter.
 */
const validAt = (at: string) => `accepted_at IS NULL AND expires_at > ${at}
  AND (invited_by IS NULL OR EXISTS (
    SELECT FROM memberships AS inviter
    WHERE inviter.workspace_id = invitations.workspace_id
      AND inviter.user_id = invitations.invited_by AND inviter.role = 'owner'))`;

const VALID = `token_hash = decode($1, 'hex') AND email = $2 AND ${validAt('$3')}`;

/** Invitations at rest. Each is for one address and valid once. */
@Injectable()
export class InvitationStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  within(transaction: Queryable): InvitationStore {
    return new InvitationStore(transaction);
  }

  /** Stores an invitation. It replaces an open one of the address to the same workspace. */
  async put(
    invitation: Invitation & {
      id: InvitationId;
      tokenHash: string;
      email: string;
      /** Null for an operator. */
      invitedBy: string | null;
      at: Date;
      expiresAt: Date;
    },
  ): Promise<void> {
    const { id, tokenHash, workspaceId, email, role, invitedBy, at, expiresAt } = invitation;
    await this.database.query(
      `INSERT INTO invitations
         (token_hash, workspace_id, email, role, invited_by, created_at, expires_at, id)
       VALUES (decode($1, 'hex'), $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (workspace_id, email) WHERE accepted_at IS NULL DO UPDATE
         SET token_hash = excluded.token_hash, role = excluded.role,
           invited_by = excluded.invited_by, created_at = excluded.created_at,
           expires_at = excluded.expires_at, id = excluded.id`,
      [tokenHash, workspaceId, email, role, invitedBy, at, expiresAt, id],
    );
  }

  /** Lists invitations to a workspace that can be accepted, before `beforeId`, newest first. */
  async listOpen(
    workspaceId: WorkspaceId,
    at: Date,
    limit: number,
    beforeId: string | null,
  ): Promise<OpenInvitation[]> {
    const { rows } = await this.database.query<OpenInvitation>(
      `SELECT invitations.id, invitations.email, role,
         json_build_object('id', person.id, 'email', person.email) AS "invitedBy",
         invitations.created_at AS "createdAt", expires_at AS "expiresAt"
       FROM invitations JOIN users AS person ON person.id = invited_by
       WHERE workspace_id = $1 AND ${validAt('$2')} AND ($4::uuid IS NULL OR invitations.id < $4)
       ORDER BY invitations.id DESC LIMIT $3`,
      [workspaceId, at, limit, beforeId],
    );
    return rows;
  }

  /**
   * Returns null when the token is unknown, used, expired or for another address, and when its
   * inviter is not an owner any more.
   */
  async find(tokenHash: string, email: string, at: Date): Promise<Invitation | null> {
    const { rows } = await this.database.query<Invitation>(
      `SELECT workspace_id AS "workspaceId", role FROM invitations WHERE ${VALID}`,
      [tokenHash, storedAddress(email), at],
    );
    return rows[0] ?? null;
  }

  /** Like `find`, and uses the invitation up. */
  async accept(
    tokenHash: string,
    email: string,
    at: Date,
    database: Queryable,
  ): Promise<Invitation | null> {
    const { rows } = await database.query<Invitation>(
      `UPDATE invitations SET accepted_at = $3 WHERE ${VALID}
       RETURNING workspace_id AS "workspaceId", role`,
      [tokenHash, storedAddress(email), at],
    );
    return rows[0] ?? null;
  }

  /** Deletes an open invitation. Returns null when the workspace has none with this id. */
  async withdraw(
    workspaceId: WorkspaceId,
    id: InvitationId,
  ): Promise<Pick<OpenInvitation, 'email' | 'role'> | null> {
    const { rows } = await this.database.query<Pick<OpenInvitation, 'email' | 'role'>>(
      `DELETE FROM invitations WHERE workspace_id = $1 AND id = $2 AND accepted_at IS NULL
       RETURNING email, role`,
      [workspaceId, id],
    );
    return rows[0] ?? null;
  }

  /** Deletes the open invitations to a workspace that a member got or made. */
  async withdrawOf(workspaceId: WorkspaceId, { id, email }: Pick<User, 'id' | 'email'>) {
    await this.database.query(
      `DELETE FROM invitations WHERE workspace_id = $1 AND accepted_at IS NULL
         AND (invited_by = $2 OR email = $3)`,
      [workspaceId, id, storedAddress(email)],
    );
  }

  /** Deletes the open invitations to these workspaces. */
  async withdrawAll(workspaceIds: readonly WorkspaceId[]): Promise<void> {
    await this.database.query(
      'DELETE FROM invitations WHERE workspace_id = ANY ($1::uuid[]) AND accepted_at IS NULL',
      [workspaceIds],
    );
  }
}
