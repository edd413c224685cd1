import type { Queryable } from '@watchword/postgres';

/** So many ended sessions are cleared away whenever a new one begins. */
const CLEARED_MAX = 100;

/** Sessions at rest: a hash of the token, and until when it is good. */
export class SessionStore {
  constructor(private readonly database: Queryable) {}

  async insert(session: {
    tokenHash: string;
    membershipId: string;
    at: Date;
    expiresAt: Date;
  }): Promise<void> {
    const { tokenHash, membershipId, at, expiresAt } = session;
    await this.database.query(
      `WITH cleared AS (
         DELETE FROM sessions WHERE token_hash IN (
           SELECT token_hash FROM sessions WHERE expires_at <= $3 LIMIT ${CLEARED_MAX}
           FOR UPDATE SKIP LOCKED)
       )
       INSERT INTO sessions (token_hash, membership_id, created_at, expires_at)
       VALUES (decode($1, 'hex'), $2, $3, $4)`,
      [tokenHash, membershipId, at, expiresAt],
    );
  }

  async delete(tokenHash: string): Promise<void> {
    await this.database.query(`DELETE FROM sessions WHERE token_hash = decode($1, 'hex')`, [
      tokenHash,
    ]);
  }
}
