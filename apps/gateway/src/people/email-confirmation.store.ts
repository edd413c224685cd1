import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import type { UserId } from '@watchword/contracts';

/** Confirmations of email addresses at rest: one per user, each valid once. */
@Injectable()
export class EmailConfirmationStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  within(transaction: Queryable): EmailConfirmationStore {
    return new EmailConfirmationStore(transaction);
  }

  /** Replaces an older confirmation of the user. */
  async put(userId: UserId, tokenHash: string, expiresAt: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO email_confirmations (user_id, token_hash, expires_at)
       VALUES ($1, decode($2, 'hex'), $3)
       ON CONFLICT (user_id) DO UPDATE
         SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
      [userId, tokenHash, expiresAt],
    );
  }

  /** Returns the id of the user, or null when the token is unknown, used or expired. */
  async find(tokenHash: string, at: Date): Promise<UserId | null> {
    const { rows } = await this.database.query<{ userId: UserId }>(
      `SELECT user_id AS "userId" FROM email_confirmations
       WHERE token_hash = decode($1, 'hex') AND expires_at > $2`,
      [tokenHash, at],
    );
    return rows[0]?.userId ?? null;
  }

  /** Returns false when another request used the token first. */
  async use(tokenHash: string, at: Date): Promise<boolean> {
    const { rowCount } = await this.database.query(
      `DELETE FROM email_confirmations
       WHERE token_hash = decode($1, 'hex') AND expires_at > $2`,
      [tokenHash, at],
    );
    return rowCount === 1;
  }
}
