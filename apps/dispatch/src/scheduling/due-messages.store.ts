import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { TextCommand } from '../channels/text-channel.js';

/** Messages of a suspended workspace keep waiting. */
const due = statement(
  'dispatch_due_messages',
  `SELECT command, send_at AS "sendAt" FROM scheduled_messages AS scheduled
   WHERE send_at <= $1 AND (send_at, message_id) > ($3, $4) AND NOT EXISTS (
     SELECT FROM workspace_standings AS standing
     WHERE standing.workspace_id = (scheduled.command ->> 'workspace_id')::uuid
       AND standing.suspended)
   ORDER BY send_at, message_id LIMIT $2`,
);

/**
 * The record shows the new time. Every process finds the same messages due, so the first one writes, and the
 * others have nothing left to do. A message that was cancelled meanwhile keeps its time.
 */
const postpone = statement(
  'dispatch_postpone_scheduled',
  `WITH waiting AS (
     SELECT scheduled.message_id, later.until
     FROM unnest($1::uuid[], $2::timestamptz[]) AS later (id, until)
     JOIN scheduled_messages AS scheduled ON scheduled.message_id = later.id
     WHERE scheduled.send_at < later.until
     ORDER BY scheduled.message_id FOR UPDATE OF scheduled
   ), postponed AS (
     UPDATE scheduled_messages AS scheduled SET send_at = waiting.until
     FROM waiting WHERE scheduled.message_id = waiting.message_id
     RETURNING waiting.message_id, waiting.until
   )
   UPDATE messages SET send_at = postponed.until FROM postponed
   WHERE messages.id = postponed.message_id AND messages.state = 'scheduled'`,
);

const forget = statement(
  'dispatch_forget_scheduled',
  `DELETE FROM scheduled_messages AS scheduled USING messages
   WHERE scheduled.message_id = ANY ($1::uuid[]) AND messages.id = scheduled.message_id
     AND messages.state <> 'scheduled'`,
);

const NIL = '00000000-0000-0000-0000-000000000000';

export interface DueMessage {
  readonly sendAt: Date;
  readonly command: TextCommand;
}

/** Commands of messages that wait for their `send_at`. They are written with the messages. */
@Injectable()
export class DueMessagesStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** A page of them in the order of their moments, from the beginning or behind one. */
  async due(until: Date, limit: number, behind?: DueMessage): Promise<DueMessage[]> {
    const moment = behind?.sendAt ?? '-infinity';
    const id = behind?.command.message_id ?? NIL;
    const { rows } = await this.database.query<DueMessage>(due, [until, limit, moment, id]);
    return rows.map(({ command, sendAt }) => ({
      sendAt,
      command: { ...command, send_at: sendAt.toISOString() },
    }));
  }

  /** Lets messages wait longer. */
  async postpone(waits: ReadonlyMap<string, Date>): Promise<void> {
    await this.database.query(postpone, [[...waits.keys()], [...waits.values()]]);
  }

  /** Deletes only rows of messages that no longer wait. */
  async forget(ids: readonly string[]): Promise<void> {
    await this.database.query(forget, [ids]);
  }
}
