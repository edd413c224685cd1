import { type Queryable, statement } from '@watchword/postgres';

/** Emails of a suspended workspace wait on. */
const DUE = statement(
  'dispatch_due_emails',
  `SELECT email_id AS id, min(due_at) AS due_at, count(*)::integer AS recipients
   FROM (
     SELECT recipient.email_id, recipient.due_at FROM email_recipients AS recipient
     JOIN emails AS email ON email.id = recipient.email_id
     WHERE recipient.due_at <= $1 AND NOT EXISTS (
       SELECT FROM workspace_standings AS standing
       WHERE standing.workspace_id = email.workspace_id AND standing.suspended)
     ORDER BY recipient.due_at, recipient.email_id LIMIT $2
   ) AS due
   GROUP BY email_id ORDER BY due_at, id`,
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

interface DueRow {
  readonly id: string;
  readonly recipients: number;
}

export class DueEmailStore {
  constructor(private readonly database: Queryable) {}

  /** Emails of which something is to be done now, by those of their recipients that are due longest. */
  async due(at: Date, recipientsMax: number): Promise<{ ids: string[]; mayHaveMore: boolean }> {
    const { rows } = await this.database.query<DueRow>(DUE, [at, recipientsMax]);
    const found = rows.reduce((sum, { recipients }) => sum + recipients, 0);
    return { ids: rows.map(({ id }) => id), mayHaveMore: found === recipientsMax };
  }

  async left(heldBy: string, at: Date, ownBefore: Date, limit: number): Promise<LeftAttempt[]> {
    const parameters = [heldBy, at, ownBefore, limit];
    return (await this.database.query<LeftAttempt>(LEFT, parameters)).rows;
  }
}
