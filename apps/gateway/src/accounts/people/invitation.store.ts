import type { MemberRole } from '@watchword/contracts';
import type { Queryable } from '@watchword/postgres';

export interface Invitation {
  workspaceId: string;
  role: MemberRole;
}

/** Invitations at rest. Each is for one address and good once. */
export class InvitationStore {
  constructor(private readonly database: Queryable) {}

  async insert(
    invitation: Invitation & {
      tokenHash: string;
      email: string;
      invitedBy: string;
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

  /** Takes it, so that nobody can take it again; null when it is not there for this address. */
  async accept(
    tokenHash: string,
    email: string,
    at: Date,
    database: Queryable,
  ): Promise<Invitation | null> {
    const { rows } = await database.query<Invitation>(
      `UPDATE invitations SET accepted_at = $3
       WHERE token_hash = decode($1, 'hex') AND email = $2 AND accepted_at IS NULL
         AND expires_at > $3
       RETURNING workspace_id AS "workspaceId", role`,
      [tokenHash, email, at],
    );
    return rows[0] ?? null;
  }
}
