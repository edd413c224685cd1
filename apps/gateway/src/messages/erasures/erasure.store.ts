import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';

/** A recipient that is erased from messages as they end. */
export interface OpenErasure {
  readonly recipient: string;
  readonly askedAt: Date;
}

@Injectable()
export class ErasureStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async put({ recipient, askedAt }: OpenErasure, dueAt: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO erasures (recipient, asked_at, due_at) VALUES ($1, $2, $3)
       ON CONFLICT (recipient) DO UPDATE SET asked_at = excluded.asked_at, due_at = excluded.due_at`,
      [recipient, askedAt, dueAt],
    );
  }

  /** Returns those that are due. No other process looks at them before `againAt`. */
  async claimDue(at: Date, againAt: Date, limit: number): Promise<OpenErasure[]> {
    const { rows } = await this.database.query<OpenErasure>(
      `UPDATE erasures SET due_at = $2
       WHERE recipient IN (
         SELECT recipient FROM erasures WHERE due_at <= $1
         ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING recipient, asked_at AS "askedAt"`,
      [at, againAt, limit],
    );
    return rows;
  }

  /** It stays where it was asked for again meanwhile. */
  async delete({ recipient, askedAt }: OpenErasure): Promise<void> {
    await this.database.query('DELETE FROM erasures WHERE recipient = $1 AND asked_at = $2', [
      recipient,
      askedAt,
    ]);
  }
}
