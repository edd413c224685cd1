import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import type { UserId } from '@watchword/contracts';

const LIVING = `SELECT user_id FROM password_resets
    WHERE token_hash = decode($1, 'hex') AND expires_at > $2
  UNION ALL
  SELECT user_id FROM emailed_password_resets
    WHERE token_hash = decode($1, 'hex') AND expires_at > $2`;

/**
 * Password resets at rest: one by an operator and a few by email per user. The first use ends all.
 */
@Injectable()
export class PasswordResetStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  within(transaction: Queryable): PasswordResetStore {
    return new PasswordResetStore(transaction);
  }

  /** Stores an operator's reset, which replaces the older one. */
  async put(userId: UserId, tokenHash: string, expiresAt: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO password_resets (user_id, token_hash, expires_at)
       VALUES ($1, decode($2, 'hex'), $3)
       ON CONFLICT (user_id) DO UPDATE
         SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
      [userId, tokenHash, expiresAt],
    );
  }

  async putEmailed(userId: UserId, tokenHash: string, at: Date, expiresAt: Date): Promise<void> {
    await this.database.query(
      `WITH expired AS (
         DELETE FROM emailed_password_resets WHERE user_id = $1 AND expires_at <= $3
       )
       INSERT INTO emailed_password_resets (token_hash, user_id, expires_at)
       VALUES (decode($2, 'hex'), $1, $4)`,
      [userId, tokenHash, at, expiresAt],
    );
  }

  /** Returns the id of the user, or null when the token is unknown, used or expired. */
  async find(tokenHash: string, at: Date): Promise<UserId | null> {
    const { rows } = await this.database.query<{ userId: UserId }>(
      `SELECT user_id AS "userId" FROM (${LIVING}) AS living`,
      [tokenHash, at],
    );
    return rows[0]?.userId ?? null;
  }

  /** Ends every reset of the user. Returns false when another request used the token first. */
  async use(userId: UserId, tokenHash: string, at: Date): Promise<boolean> {
    await this.database.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    if ((await this.find(tokenHash, at)) !== userId) return false;
    await this.delete(userId);
    return true;
  }

  async delete(userId: UserId): Promise<void> {
    await this.database.query(
      `WITH emailed AS (DELETE FROM emailed_password_resets WHERE user_id = $1)
       DELETE FROM password_resets WHERE user_id = $1`,
      [userId],
    );
  }
}
