import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, sqlState } from '@watchword/postgres';
import type { UserId, WorkspaceId } from '@watchword/contracts';

/** Ended sessions that each new session deletes. */
const CLEARED_MAX = 100;
const FOREIGN_KEY_VIOLATION = '23503';

/** The member was removed while the session was created. */
export class MemberGone extends Error {}

/** Sessions at rest: a hash of each token, and its end. */
@Injectable()
export class SessionStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  within(transaction: Queryable): SessionStore {
    return new SessionStore(transaction);
  }

  /**
   * Inserts a session. Returns false when the user's password has changed meanwhile. A concurrent
   * reset either waits for this statement and ends the session, or this statement waits for it and
   * inserts nothing.
   */
  async insert(session: {
    tokenHash: string;
    membershipId: string;
    userId: UserId;
    passwordHash: string;
    at: Date;
    expiresAt: Date;
  }): Promise<boolean> {
    const { tokenHash, membershipId, userId, passwordHash, at, expiresAt } = session;
    const inserted = this.database.query(
      `WITH cleared AS (
         DELETE FROM sessions WHERE token_hash IN (
           SELECT token_hash FROM sessions WHERE expires_at <= $3::timestamptz LIMIT ${CLEARED_MAX}
           FOR UPDATE SKIP LOCKED)
       )
       INSERT INTO sessions (token_hash, membership_id, created_at, expires_at)
       SELECT decode($1, 'hex'), $2::uuid, $3::timestamptz, $4::timestamptz FROM users
       WHERE id = $5 AND password_hash = $6 FOR SHARE`,
      [tokenHash, membershipId, at, expiresAt, userId, passwordHash],
    );
    const { rowCount } = await inserted.catch((error: unknown) => {
      throw sqlState(error) === FOREIGN_KEY_VIOLATION ? new MemberGone() : error;
    });
    return rowCount === 1;
  }

  async delete(tokenHash: string): Promise<void> {
    await this.database.query(`DELETE FROM sessions WHERE token_hash = decode($1, 'hex')`, [
      tokenHash,
    ]);
  }

  /** Deletes a user's sessions in every workspace, except one. Null excepts none. */
  async deleteOthers(userId: UserId, cachedTokenHash: string | null): Promise<void> {
    await this.database.query(
      `DELETE FROM sessions WHERE membership_id IN (SELECT id FROM memberships WHERE user_id = $1)
         AND ($2::text IS NULL OR token_hash <> decode($2, 'hex'))`,
      [userId, cachedTokenHash],
    );
  }

  /** Deletes the sessions of all members of these workspaces. */
  async deleteOfWorkspaces(workspaceIds: readonly WorkspaceId[]): Promise<void> {
    await this.database.query(
      `DELETE FROM sessions WHERE membership_id IN (
         SELECT id FROM memberships WHERE workspace_id = ANY ($1::uuid[]))`,
      [workspaceIds],
    );
  }
}
