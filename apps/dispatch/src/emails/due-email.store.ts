import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { MessageId } from '@watchword/contracts';

/** Emails of a suspended workspace keep waiting. */
const due = statement(
  'dispatch_due_emails',
  `SELECT email_id AS id, min(due_at) AS "dueAt", count(*)::integer AS recipients
   FROM (
     SELECT recipient.email_id, recipient.due_at FROM email_recipients AS recipient
     JOIN emails AS email ON email.id = recipient.email_id
     WHERE recipient.due_at <= $1 AND NOT EXISTS (
       SELECT FROM workspace_standings AS standing
       WHERE standing.workspace_id = email.workspace_id AND standing.suspended)
     ORDER BY recipient.due_at, recipient.email_id LIMIT $2
   ) AS due
   GROUP BY email_id ORDER BY min(due_at), id`,
);

/**
 * Attempts of dead processes, and attempts of this one that are so old that it must have lost them.
 */
const left = statement(
  'dispatch_left_email_attempts',
  `SELECT email_id AS "emailId", recipient, number, held_by AS "heldBy" FROM email_attempts AS attempt
   WHERE held_by IS NOT NULL AND (
     held_by = $1 AND started_at < $3
     OR held_by <> $1 AND NOT EXISTS (
       SELECT FROM senders WHERE senders.id = attempt.held_by AND senders.alive_until > $2))
   ORDER BY held_by, email_id LIMIT $4`,
);

export interface LeftAttempt {
  readonly emailId: MessageId;
  readonly recipient: number;
  readonly number: number;
  readonly heldBy: string;
}

/** An email with due recipients, and the earliest of their times. */
export interface DueEmail {
  readonly id: MessageId;
  readonly dueAt: Date;
  readonly recipients: number;
}

@Injectable()
export class DueEmailStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns emails with work due until then, the longest due first. */
  async due(until: Date, recipientsMax: number): Promise<DueEmail[]> {
    return (await this.database.query<DueEmail>(due, [until, recipientsMax])).rows;
  }

  async left(heldBy: string, at: Date, ownBefore: Date, limit: number): Promise<LeftAttempt[]> {
    const parameters = [heldBy, at, ownBefore, limit];
    return (await this.database.query<LeftAttempt>(left, parameters)).rows;
  }
}
