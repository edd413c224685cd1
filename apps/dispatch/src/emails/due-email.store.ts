import { type Queryable, statement } from '@watchword/postgres';

/** Emails of a suspended workspace wait on. */
const DUE = statement(
  'dispatch_due_emails',
  `SELECT recipient.email_id AS id, min(recipient.due_at) AS due_at
   FROM (
     SELECT email_id, due_at FROM email_recipients
     WHERE due_at <= $1 ORDER BY due_at, email_id LIMIT $2 * 8
   ) AS recipient
   JOIN emails AS email ON email.id = recipient.email_id
   WHERE NOT EXISTS (
     SELECT FROM workspace_standings AS standing
     WHERE standing.workspace_id = email.workspace_id AND standing.suspended)
   GROUP BY recipient.email_id ORDER BY due_at, id LIMIT $2`,
);

/** Attempts of dead processes, and those of this one that began so long ago that it must have forgotten them. */
const LEFT = statement(
  'dispatch_left_email_attempts',
  `SELECT email_id AS "emailId", recipient, number, held_by AS "heldBy" FROM email_attempts AS attempt
   WHERE held_by IS NOT NULL AND (
     held_by = $1 AND started_at < $3
     OR held_by <> $1 AND NOT EXISTS (
       SELECT FROM senders WHERE senders.id = attempt.held_by AND senders.alive_until > $2))
   ORDER BY held_by, email_id LIMIT $4`,
);

export interface LeftAttempt {
  readonly emailId: string;
  readonly recipient: number;
  readonly number: number;
  readonly heldBy: string;
}

export class DueEmailStore {
  constructor(private readonly database: Queryable) {}

  /** Ids of emails of which something is to be done now. */
  async due(at: Date, limit: number): Promise<string[]> {
    const { rows } = await this.database.query<{ id: string }>(DUE, [at, limit]);
    return rows.map(({ id }) => id);
  }

  async left(heldBy: string, at: Date, ownBefore: Date, limit: number): Promise<LeftAttempt[]> {
    const parameters = [heldBy, at, ownBefore, limit];
    return (await this.database.query<LeftAttempt>(LEFT, parameters)).rows;
  }
}
