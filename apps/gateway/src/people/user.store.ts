import { Inject, Injectable } from '@nestjs/common';
import { type MemberRole, newId, type UserId, type WorkspaceId } from '@watchword/contracts';
import { storedAddress } from '@watchword/email';
import { DATABASE } from '@watchword/platform';
import { type Queryable, sqlState, UNIQUE_VIOLATION } from '@watchword/postgres';
import type { Member, User } from './account.js';

export interface NewUser {
  /** In lower case. */
  email: string;
  name: string;
  passwordHash: string;
}

interface MemberRow {
  membership_id: string;
  workspace_id: WorkspaceId;
  role: MemberRole;
  joined_at: Date;
  user_id: UserId;
  email: string;
  name: string;
  email_confirmed: boolean;
  is_operator: boolean;
}

const WORKSPACES_SHOWN_MAX = 100;

const MEMBER = `membership.id AS membership_id, membership.workspace_id, membership.role,
  membership.created_at AS joined_at, users.id AS user_id, users.email, users.name,
  users.email_confirmed_at IS NOT NULL AS email_confirmed, users.operator_since IS NOT NULL AS is_operator`;

const USER = `id, email, name, email_confirmed_at IS NOT NULL AS "isEmailConfirmed",
  operator_since IS NOT NULL AS "isOperator"`;

/** Another account has the address. */
export class EmailTaken extends Error {}

/** Users and the workspaces they belong to. */
@Injectable()
export class UserStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  within(transaction: Queryable): UserStore {
    return new UserStore(transaction);
  }

  async findByEmail(email: string): Promise<(User & { passwordHash: string }) | null> {
    const { rows } = await this.database.query<User & { passwordHash: string }>(
      `SELECT ${USER}, password_hash AS "passwordHash" FROM users WHERE email = $1`,
      [storedAddress(email)],
    );
    return rows[0] ?? null;
  }

  async find(userId: UserId): Promise<User | null> {
    const { rows } = await this.database.query<User>(`SELECT ${USER} FROM users WHERE id = $1`, [
      userId,
    ]);
    return rows[0] ?? null;
  }

  async insert(user: NewUser): Promise<User> {
    const { email, name, passwordHash } = user;
    const id = newId();
    try {
      await this.database.query(
        'INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $3, $4)',
        [id, email, name, passwordHash],
      );
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION) throw new EmailTaken();
      throw error;
    }
    return { id, email, name, isEmailConfirmed: false, isOperator: false };
  }

  /** Makes the user an operator of the platform. Returns null for an unknown user. */
  async appoint(userId: UserId): Promise<User | null> {
    const { rows } = await this.database.query<User>(
      `UPDATE users SET operator_since = coalesce(operator_since, now()) WHERE id = $1 RETURNING ${USER}`,
      [userId],
    );
    return rows[0] ?? null;
  }

  /** Returns false for an unknown user. */
  async dismiss(userId: UserId): Promise<boolean> {
    const { rowCount } = await this.database.query(
      'UPDATE users SET operator_since = NULL WHERE id = $1',
      [userId],
    );
    return rowCount === 1;
  }

  async setPassword(userId: UserId, passwordHash: string): Promise<void> {
    await this.database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [
      userId,
      passwordHash,
    ]);
  }

  /** Returns false when the password is not the compared one any more. */
  async replacePassword(userId: UserId, before: string, after: string): Promise<boolean> {
    const { rowCount } = await this.database.query(
      'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
      [userId, before, after],
    );
    return rowCount === 1;
  }

  /** Adds a member. An existing member keeps its role. */
  async join(userId: UserId, workspaceId: WorkspaceId, role: MemberRole): Promise<void> {
    await this.enter(userId, workspaceId, role, false);
  }

  /** Adds the owner who creates the workspace by signing up. */
  async found(userId: UserId, workspaceId: WorkspaceId): Promise<void> {
    await this.enter(userId, workspaceId, 'owner', true);
  }

  /** Returns workspaces that the user's sign-up created and that are not confirmed. */
  async listUnconfirmedFoundations(userId: UserId): Promise<WorkspaceId[]> {
    const { rows } = await this.database.query<{ id: WorkspaceId }>(
      `SELECT workspace.id FROM memberships AS membership
       JOIN workspaces AS workspace ON workspace.id = membership.workspace_id
       WHERE user_id = $1 AND confirmed_at IS NULL AND founded
       ORDER BY workspace.id`,
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns workspaces that the user's sign-up created, and that the user still owns. */
  async listFoundations(userId: UserId): Promise<WorkspaceId[]> {
    const { rows } = await this.database.query<{ id: WorkspaceId }>(
      `SELECT workspace_id AS id FROM memberships
       WHERE user_id = $1 AND founded AND role = 'owner' ORDER BY 1`,
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  async confirmEmail(userId: UserId, at: Date): Promise<void> {
    await this.database.query(
      'UPDATE users SET email_confirmed_at = coalesce(email_confirmed_at, $2) WHERE id = $1',
      [userId, at],
    );
  }

  /** Finds the member in this workspace, or without an id in the workspace joined last. */
  async findMember(userId: UserId, workspaceId: WorkspaceId | null): Promise<Member | null> {
    const { rows } = await this.database.query<MemberRow>(
      `SELECT ${MEMBER} FROM memberships AS membership JOIN users ON users.id = user_id
       WHERE user_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2)
       ORDER BY membership.id DESC LIMIT 1`,
      [userId, workspaceId],
    );
    return rows[0] ? toMember(rows[0]) : null;
  }

  /** Returns a user's workspaces, newest first. */
  async listWorkspaces(userId: UserId): Promise<Member[]> {
    const { rows } = await this.database.query<MemberRow>(
      `SELECT ${MEMBER} FROM memberships AS membership JOIN users ON users.id = user_id
       WHERE user_id = $1 ORDER BY membership.id DESC LIMIT ${WORKSPACES_SHOWN_MAX}`,
      [userId],
    );
    return rows.map(toMember);
  }

  /**
   * Returns the member, locked for a removal. Owners are locked in order of their ids, so two cannot
   * remove each other at the same time.
   */
  async lockMember(
    workspaceId: WorkspaceId,
    userId: UserId,
  ): Promise<{ member: Member; isLastOwner: boolean } | null> {
    const { rows } = await this.database.query<MemberRow>(
      `SELECT ${MEMBER} FROM memberships AS membership JOIN users ON users.id = user_id
       WHERE workspace_id = $1 AND (role = 'owner' OR user_id = $2)
       ORDER BY membership.id FOR UPDATE OF membership`,
      [workspaceId, userId],
    );
    const row = rows.find(({ user_id: id }) => id === userId);
    if (!row) return null;
    const owners = rows.filter(({ role }) => role === 'owner');
    return { member: toMember(row), isLastOwner: row.role === 'owner' && owners.length === 1 };
  }

  /** Removes a member and ends the member's sessions. */
  async removeMember({ membershipId }: Member): Promise<void> {
    await this.database.query('DELETE FROM sessions WHERE membership_id = $1', [membershipId]);
    await this.database.query('DELETE FROM memberships WHERE id = $1', [membershipId]);
  }

  /** Lists members before `beforeId`, newest first. */
  async listMembers(
    workspaceId: WorkspaceId,
    limit: number,
    beforeId: string | null,
  ): Promise<Member[]> {
    const { rows } = await this.database.query<MemberRow>(
      `SELECT ${MEMBER} FROM memberships AS membership JOIN users ON users.id = user_id
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR membership.id < $2)
       ORDER BY membership.id DESC LIMIT $3`,
      [workspaceId, beforeId, limit],
    );
    return rows.map(toMember);
  }

  /** Returns the member of a session that has not ended. */
  async findSession(
    tokenHash: string,
    at: Date,
  ): Promise<{ member: Member; expiresAt: Date } | null> {
    const { rows } = await this.database.query<MemberRow & { expires_at: Date }>(
      `SELECT ${MEMBER}, session.expires_at
       FROM sessions AS session
       JOIN memberships AS membership ON membership.id = session.membership_id
       JOIN users ON users.id = membership.user_id
       WHERE session.token_hash = decode($1, 'hex') AND session.expires_at > $2`,
      [tokenHash, at],
    );
    return rows[0] ? { member: toMember(rows[0]), expiresAt: rows[0].expires_at } : null;
  }

  private async enter(
    userId: UserId,
    workspaceId: WorkspaceId,
    role: MemberRole,
    founded: boolean,
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO memberships (id, workspace_id, user_id, role, founded)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (user_id, workspace_id) DO NOTHING`,
      [newId(), workspaceId, userId, role, founded],
    );
  }
}

function toMember(row: MemberRow): Member {
  return {
    membershipId: row.membership_id,
    workspaceId: row.workspace_id,
    role: row.role,
    joinedAt: row.joined_at,
    user: {
      id: row.user_id,
      email: row.email,
      name: row.name,
      isEmailConfirmed: row.email_confirmed,
      isOperator: row.is_operator,
    },
  };
}
