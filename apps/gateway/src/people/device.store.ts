import { Inject, Injectable } from '@nestjs/common';
import { storedAddress } from '@watchword/email';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import type { UserId } from '@watchword/contracts';

/** Known browsers per user. The oldest is deleted first. */
const DEVICES_MAX = 20;

/** Devices at rest: a hash of each token, and its user. */
@Injectable()
export class DeviceStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  within(transaction: Queryable): DeviceStore {
    return new DeviceStore(transaction);
  }

  async belongsTo(tokenHash: string, email: string): Promise<boolean> {
    const { rowCount } = await this.database.query(
      `SELECT FROM devices JOIN users ON users.id = user_id
       WHERE token_hash = decode($1, 'hex') AND email = $2`,
      [tokenHash, storedAddress(email)],
    );
    return rowCount === 1;
  }

  /** Returns false when the user's password has changed meanwhile. */
  async insert(device: {
    tokenHash: string;
    userId: UserId;
    passwordHash: string;
    at: Date;
  }): Promise<boolean> {
    const { tokenHash, userId, passwordHash, at } = device;
    const { rowCount } = await this.database.query(
      `WITH owner AS (
         SELECT id FROM users WHERE id = $2 AND password_hash = $4 FOR SHARE
       ), forgotten AS (
         DELETE FROM devices WHERE token_hash IN (
           SELECT token_hash FROM devices WHERE user_id IN (SELECT id FROM owner)
           ORDER BY created_at DESC OFFSET ${DEVICES_MAX - 1})
       )
       INSERT INTO devices (token_hash, user_id, created_at)
       SELECT decode($1, 'hex'), id, $3 FROM owner`,
      [tokenHash, userId, at, passwordHash],
    );
    return rowCount === 1;
  }

  async forget(userId: UserId): Promise<void> {
    await this.database.query('DELETE FROM devices WHERE user_id = $1', [userId]);
  }
}
