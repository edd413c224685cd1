import { Inject, Injectable } from '@nestjs/common';
import type { MessageId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/** Most messages that one statement erases. */
export const ERASED_AT_ONCE = 1_000;

/** Carriers keep an SMS for up to three days. Some receipts never come. */
const RECEIPT_DAYS_MAX = 3;

/**
 * What may still happen to a message: it waits to be sent, for a receipt that is not late yet, for
 * its refund, or for its code. $2 is the time.
 */
const IS_OPEN = `(
  message.state IN ('accepted', 'scheduled')
  OR message.state = 'sent' AND message.sent_at > $2::timestamptz - interval '${RECEIPT_DAYS_MAX} days'
  OR message.reason IS NOT NULL AND message.settled_at IS NULL
  OR message.expires_at IS NOT NULL AND message.verified_at IS NULL AND message.ended_at IS NULL
  OR EXISTS (SELECT FROM attempts WHERE message_id = message.id AND held_by IS NOT NULL))`;

const countOpen = statement(
  'dispatch_count_open_messages',
  `SELECT count(*) FILTER (WHERE NOT test_mode)::integer AS count,
     count(*) FILTER (WHERE test_mode)::integer AS tests
   FROM messages AS message WHERE destination = $1 AND created_at <= $3 AND ${IS_OPEN}`,
);

const findScheduled = statement(
  'dispatch_find_scheduled_messages_to',
  `SELECT id FROM messages
   WHERE destination = $1 AND state = 'scheduled' AND ($2::uuid IS NULL OR id > $2)
   ORDER BY id LIMIT $3`,
);

/** Commands of suspended workspaces, of every kind, are not messages yet. */
const countHeld = statement(
  'dispatch_count_held_commands_to',
  `SELECT count(*)::integer AS count FROM held_commands
   WHERE strpos(lower(lower(command COLLATE "C") COLLATE "default"),
       lower(lower(to_json($1::text)::text COLLATE "C") COLLATE "default")) > 0
     AND NOT (command::json ->> 'test_mode')::boolean`,
);

/**
 * The order is that of the index of destinations. The new version makes a write fail that was decided
 * on the message as it was, in this process or another.
 */
const erase = statement(
  'dispatch_erase_messages',
  `WITH old AS MATERIALIZED (
     SELECT id FROM messages AS message
     WHERE destination = $1 AND ${IS_OPEN} IS NOT TRUE
     ORDER BY test_mode, id LIMIT $4 FOR NO KEY UPDATE
   ), of_schedule AS (
     DELETE FROM scheduled_messages USING old WHERE message_id = old.id
   ), of_attempts AS (
     UPDATE attempts SET raw_message = NULL FROM old
     WHERE message_id = old.id AND raw_message IS NOT NULL
   )
   UPDATE messages AS message
   SET version = version + 1, destination = $3, metadata = '{}',
     body = NULL, original_body = NULL, template = NULL, last_line = NULL
   FROM old WHERE message.id = old.id
   RETURNING message.id`,
);

const forget = statement(
  'dispatch_forget_number',
  `WITH of_networks AS (DELETE FROM number_networks WHERE destination = $1)
   DELETE FROM guessed_numbers WHERE destination = $1`,
);

export interface OpenCount {
  /** Without test messages. */
  count: number;
  tests: number;
}

/** One-time passwords and SMS to a number, of all workspaces and both modes. */
@Injectable()
export class TextErasureStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async countOpen(destination: string, at: Date, before: Date): Promise<OpenCount> {
    const values = [destination, at, before];
    return (await this.database.query<OpenCount>(countOpen, values)).rows[0]!;
  }

  /** Returns at most `ERASED_AT_ONCE` in the order of their ids. */
  async findScheduled(destination: string, after: string | null): Promise<MessageId[]> {
    const values = [destination, after, ERASED_AT_ONCE];
    const { rows } = await this.database.query<{ id: MessageId }>(findScheduled, values);
    return rows.map(({ id }) => id);
  }

  /** Counts commands of suspended workspaces to a number or an address. */
  async countHeld(to: string): Promise<number> {
    const { rows } = await this.database.query<{ count: number }>(countHeld, [to]);
    return rows[0]!.count;
  }

  /** Replaces the number of ended messages, at most `ERASED_AT_ONCE`, and returns their ids. */
  async erase(destination: string, erased: string, at: Date): Promise<MessageId[]> {
    const values = [destination, at, erased, ERASED_AT_ONCE];
    const { rows } = await this.database.query<{ id: MessageId }>(erase, values);
    return rows.map(({ id }) => id);
  }

  /** Deletes what was learned about the number: its network, and wrong codes. */
  async forget(destination: string): Promise<void> {
    await this.database.query(forget, [destination]);
  }
}
