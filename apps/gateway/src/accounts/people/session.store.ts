import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, sqlState } from '@watchword/postgres';

/** Each new session deletes at most this many that have ended. */
const CLEARED_MAX = 100;
const FOREIGN_KEY_VIOLATION = '23503';

/** The member was removed while the session began. */
export class MemberGone extends Error {}

/** Sessions at rest: a hash of each token, and when it ends. */
@Injectable()
export class SessionStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  within(transaction: Queryable): SessionStore {
    return new SessionStore(transaction);
  }

  async insert(session: {
    tokenHash: string;
    membershipId: string;
    at: Date;
    expiresAt: Date;
  }): Promise<void> {
    const { tokenHash, membershipId, at, expiresAt } = session;
    const inserted = this.database.query(
      `WITH cleared AS (
         DELETE FROM sessions WHERE token_hash IN (
           SELECT token_hash FROM sessions WHERE expires_at <= $3 LIMIT ${CLEARED_MAX}
           FOR UPDATE SKIP LOCKED)
       )
       INSERT INTO sessions (token_hash, membership_id, created_at, expires_at)
       VALUES (decode($1, 'hex'), $2, $3, $4)`,
      [tokenHash, membershipId, at, expiresAt],
    );
    await inserted.catch((error: unknown) => {
      throw sqlState(error) === FOREIGN_KEY_VIOLATION ? new MemberGone() : error;
    });
  }

  async delete(tokenHash: string): Promise<void> {
    await this.database.query(`DELETE FROM sessions WHERE token_hash = decode($1, 'hex')`, [
      tokenHash,
    ]);
  }

  /** Of a user in every workspace, except one; null excepts none. */
  async deleteOthers(userId: string, keptTokenHash: string | null): Promise<void> {
    await this.database.query(
      `DELETE FROM sessions WHERE membership_id IN (SELECT id FROM memberships WHERE user_id = $1)
         AND ($2::text IS NULL OR token_hash <> decode($2, 'hex'))`,
      [userId, keptTokenHash],
    );
  }
}
