import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';
import type { MessageId } from '@watchword/contracts';
import type { Sending } from './running-sendings.js';

/** The live processes, and the unfinished work of dead ones. */
const alive = statement(
  'dispatch_sender_alive',
  `INSERT INTO senders (id, alive_until) VALUES ($1, $2)
   ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`,
);

const leave = statement('dispatch_sender_leave', 'DELETE FROM senders WHERE id = $1');

const forget = statement(
  'dispatch_senders_forget',
  `DELETE FROM senders WHERE alive_until < $1::timestamptz - interval '1 hour'`,
);

/** One statement for both, because a process looks every second. */
const aliveAndClaim = statement(
  'dispatch_alive_and_claim',
  `WITH alive AS (
     INSERT INTO senders (id, alive_until) VALUES ($1, $4)
     ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until)
   UPDATE attempts SET held_by = $1
   WHERE (message_id, number) IN (
     SELECT message_id, number FROM attempts a
     WHERE held_by IS NOT NULL AND held_by <> $1 AND NOT EXISTS (
       SELECT FROM senders s WHERE s.id = a.held_by AND s.alive_until > $2)
     ORDER BY message_id LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING message_id AS "messageId"`,
);

const held = statement(
  'dispatch_held_unfinished',
  `SELECT DISTINCT message_id AS "messageId", resend FROM attempts
   WHERE held_by = $1 AND started_at < $2 AND (message_id, resend) > ($3, $4)
   ORDER BY message_id, resend LIMIT $5`,
);

export interface HeldPage {
  readonly before: Date;
  readonly after: Sending;
  readonly limit: number;
}

@Injectable()
export class UnfinishedStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async alive(senderId: string, until: Date): Promise<void> {
    await this.database.query(alive, [senderId, until]);
  }

  async leave(senderId: string): Promise<void> {
    await this.database.query(leave, [senderId]);
  }

  async forgetDead(now: Date): Promise<void> {
    await this.database.query(forget, [now]);
  }

  /**
   * Writes the heartbeat of the process, and claims attempts of dead ones. Never claims its own
   * current ones.
   */
  async aliveAndClaim(senderId: string, until: Date, now: Date, limit: number): Promise<string[]> {
    crashPoint('dispatch.take-over.before-commit');
    const { rows } = await this.database.query<{ messageId: MessageId }>(aliveAndClaim, [
      senderId,
      now,
      limit,
      until,
    ]);
    crashPoint('dispatch.take-over.after-commit');
    return rows.map(({ messageId }) => messageId);
  }

  /**
   * Returns sendings of one process begun before that time, page by page. A plain limit would not
   * do: most are being sent, and those of the first page would hide the later ones.
   */
  async heldBy(senderId: string, page: HeldPage): Promise<Sending[]> {
    const { before, after, limit } = page;
    const { rows } = await this.database.query<Sending>(held, [
      senderId,
      before,
      after.messageId,
      after.resend,
      limit,
    ]);
    return rows;
  }
}
