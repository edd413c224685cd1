import { Inject, Injectable } from '@nestjs/common';
import type { MemberRole, WorkspaceId } from '@watchword/contracts';
import { addressSpellings } from '@watchword/email';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';

export interface Invitation {
  /** Null for an operator's invitation, with which the address may create a workspace. */
  workspaceId: WorkspaceId | null;
  role: MemberRole;
}

/**
 * What makes an invitation valid. Only an owner invites, so it ends with the inviter's place in the
 * workspace. An operator's invitation has no inviter.
 */
const VALID = `token_hash = decode($1, 'hex') AND email = ANY ($2::text[]) AND accepted_at IS NULL
  AND expires_at > $3
  AND (invited_by IS NULL OR EXISTS (
    SELECT FROM memberships AS inviter
    WHERE inviter.workspace_id = invitations.workspace_id
      AND inviter.user_id = invitations.invited_by AND inviter.role = 'owner'))`;

/** Invitations at rest. Each is for one address and valid once. */
@Injectable()
export class InvitationStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  within(transaction: Queryable): InvitationStore {
    return new InvitationStore(transaction);
  }

  async insert(
    invitation: Invitation & {
      tokenHash: string;
      email: string;
      /** Null for an operator. */
      invitedBy: string | null;
      at: Date;
      expiresAt: Date;
    },
  ): Promise<void> {
    const { tokenHash, workspaceId, email, role, invitedBy, at, expiresAt } = invitation;
    await this.database.query(
      `INSERT INTO invitations
         (token_hash, workspace_id, email, role, invited_by, created_at, expires_at)
       VALUES (decode($1, 'hex'), $2, $3, $4, $5, $6, $7)`,
      [tokenHash, workspaceId, email, role, invitedBy, at, expiresAt],
    );
  }

  /**
   * Returns null when the token is unknown, used, expired or for another address, and when its
   * inviter is not an owner any more.
   */
  async find(tokenHash: string, email: string, at: Date): Promise<Invitation | null> {
    const { rows } = await this.database.query<Invitation>(
      `SELECT workspace_id AS "workspaceId", role FROM invitations WHERE ${VALID}`,
      [tokenHash, addressSpellings(email), at],
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
      [tokenHash, addressSpellings(email), at],
    );
    return rows[0] ?? null;
  }

  /** Deletes the open invitations to these workspaces. */
  async withdraw(workspaceIds: readonly WorkspaceId[]): Promise<void> {
    await this.database.query(
      'DELETE FROM invitations WHERE workspace_id = ANY ($1::uuid[]) AND accepted_at IS NULL',
      [workspaceIds],
    );
  }
}
