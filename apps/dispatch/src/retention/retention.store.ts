import { Inject, Injectable } from '@nestjs/common';
import { idFloor } from '@watchword/contracts';
import { PATIENT_DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/** The row of one turn and the rows of how far each walk got; see `progress`. */
const TURN = 'retention';
export type Walk = 'retention-content' | 'retention-scheduled-content';

const TAKE_TURN = statement(
  'dispatch_retention_take_turn',
  `INSERT INTO progress (job, reached) VALUES ('${TURN}', $1)
   ON CONFLICT (job) DO UPDATE SET reached = excluded.reached WHERE progress.reached <= $2`,
);

const REACHED = statement(
  'dispatch_retention_reached',
  'SELECT reached FROM progress WHERE job = $1',
);

const FIRST = statement(
  'dispatch_retention_first',
  'SELECT id FROM messages WHERE id >= $1 ORDER BY id LIMIT 1',
);

const REACH = statement(
  'dispatch_retention_reach',
  `INSERT INTO progress (job, reached) VALUES ($1, $2)
   ON CONFLICT (job) DO UPDATE SET reached = greatest(progress.reached, excluded.reached)`,
);

/**
 * Ids begin with their time, so a walk by id needs no index of its own. It waits for rows that others hold:
 * a row passed over would keep its text for weeks, because a span that is done is not looked at again.
 */
const EXPIRE_CONTENTS = statement(
  'dispatch_expire_contents',
  `UPDATE messages AS message SET body = NULL, original_body = NULL
   FROM (
     SELECT id FROM messages
     WHERE id >= $1 AND id < $2 AND kind = 'sms' AND body IS NOT NULL
       AND state NOT IN ('accepted', 'scheduled') AND (send_at IS NULL OR send_at < $3)
     ORDER BY id LIMIT $4 FOR NO KEY UPDATE
   ) AS old
   WHERE message.id = old.id`,
);

const PURGE_MESSAGES = statement(
  'dispatch_purge_messages',
  `WITH old AS (
     SELECT id FROM messages WHERE id < $1 AND state NOT IN ('accepted', 'scheduled')
     ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
   ), their_attempts AS (
     DELETE FROM attempts USING old WHERE attempts.message_id = old.id
   )
   DELETE FROM messages USING old WHERE messages.id = old.id`,
);

const PURGE_EMAILS = statement(
  'dispatch_purge_emails',
  `WITH old AS (
     SELECT id FROM emails WHERE id < $1 AND status NOT IN ('queued', 'scheduled')
     ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
   ), their_recipients AS (
     DELETE FROM email_recipients USING old WHERE email_recipients.email_id = old.id
   ), their_attempts AS (
     DELETE FROM email_attempts USING old WHERE email_attempts.email_id = old.id
   )
   DELETE FROM emails USING old WHERE emails.id = old.id`,
);

/** A span of time, by the ids that were drawn in it. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

@Injectable()
export class RetentionStore {
  constructor(@Inject(PATIENT_DATABASE) private readonly database: Queryable) {}

  /** False: another replica had the turn after that moment. */
  async takeTurn(now: Date, lastBefore: Date): Promise<boolean> {
    return (await this.database.query(TAKE_TURN, [now, lastBefore])).rowCount === 1;
  }

  /** After each statement of a run: a run may last longer than a turn. */
  async keepTurn(now: Date): Promise<void> {
    await this.database.query(REACH, [TURN, now]);
  }

  /** Where a walk stopped; null before its first step. */
  async reached(walk: Walk): Promise<Date | null> {
    const { rows } = await this.database.query<{ reached: Date }>(REACHED, [walk]);
    return rows[0]?.reached ?? null;
  }

  /** When the first message was drawn at that time or later; null when there is none. */
  async firstMs(fromMs: number): Promise<number | null> {
    const { rows } = await this.database.query<{ id: string }>(FIRST, [idFloor(fromMs)]);
    return rows[0] ? Number.parseInt(rows[0].id.replaceAll('-', '').slice(0, 12), 16) : null;
  }

  async reach(walk: Walk, moment: Date): Promise<void> {
    await this.database.query(REACH, [walk, moment]);
  }

  /** Deletes texts of messages in the span that were sent before that moment. Returns how many. */
  async expireContents({ fromMs, toMs }: Span, sentBefore: Date, max: number): Promise<number> {
    const values = [idFloor(fromMs), idFloor(toMs), sentBefore, max];
    return (await this.database.query(EXPIRE_CONTENTS, values)).rowCount;
  }

  async purgeMessages(before: Date, max: number): Promise<number> {
    return (await this.database.query(PURGE_MESSAGES, [idFloor(before.getTime()), max])).rowCount;
  }

  async purgeEmails(before: Date, max: number): Promise<number> {
    return (await this.database.query(PURGE_EMAILS, [idFloor(before.getTime()), max])).rowCount;
  }
}
