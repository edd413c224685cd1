import { Inject, Injectable } from '@nestjs/common';
import { storedAddress } from '@watchword/email';
import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';
import type { MessageId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { databaseJson, type Stored, timeOf } from '../messages/database-json.js';
import type { Outgoing } from '../messages/message-event.policy.js';
import { readParameters, type RecordRef } from '../messages/record-refs.js';
import type { KeyRow } from '../messages/message-write.js';
import { type Email, type EmailAttempt, type Recipient, wordsOf } from './email.js';
import { countEmailHops } from './measurements.js';
import { visibleStatus } from './email-status.policy.js';

export interface EmailWrite {
  /** The email as it was read. Null for a new one. */
  readonly before: Email | null;
  readonly email: Email;
  /** New and changed recipients. */
  readonly recipients: readonly Recipient[];
  readonly attempts: readonly EmailAttempt[];
  readonly outgoing: readonly Outgoing[];
  readonly keys: readonly KeyRow[];
  readonly reports: readonly TakenReport[];
}

export interface TakenReport {
  readonly reportId: string;
  readonly receivedAt: string;
}

const read = statement(
  'dispatch_read_emails',
  'SELECT dispatch.read_emails($1::uuid[], $2::uuid[], $3::boolean[]) AS email',
  'once',
);
const writeEmails = statement(
  'dispatch_write_emails',
  'SELECT dispatch.write_emails($1, $2, $3, $4, $5, $6) AS id',
  'once',
);
const seen = statement(
  'dispatch_seen_email_reports',
  'SELECT report_id AS "reportId" FROM email_reports WHERE report_id = ANY ($1::text[])',
);
const purgeReports = statement(
  'dispatch_purge_email_reports',
  `DELETE FROM email_reports WHERE report_id IN (
     SELECT report_id FROM email_reports WHERE received_at < $1 ORDER BY received_at LIMIT $2)`,
);
const PURGED_AT_ONCE = 1_000;

/**
 * Stores emails with their recipients and attempts, a batch at a time; see the `.sql` files beside
 * this one.
 */
@Injectable()
export class EmailStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async read(refs: readonly RecordRef[]): Promise<Map<string, Email>> {
    const values = readParameters(refs);
    if (values === null) return new Map();
    const { rows } = await this.database.query<{ email: StoredEmail }>(read, values);
    return new Map(rows.map(({ email }) => [email.id, toEmail(email)]));
  }

  /** Returns the ids that were written. The others existed already, or changed meanwhile. */
  async write(writes: readonly EmailWrite[]): Promise<Set<string>> {
    if (writes.length === 0) return new Set();
    const parameters = parametersOf(writes);
    crashPoint('dispatch.email-write.before-commit');
    const { rows } = await this.database.query<{ id: MessageId }>(writeEmails, parameters);
    crashPoint('dispatch.email-write.after-commit');
    const written = new Set(rows.map(({ id }) => id));
    for (const { before, email } of writes)
      if (written.has(email.id)) countEmailHops(before, email);
    return written;
  }

  /** Returns those of the reports that were applied before. */
  async seen(reportIds: readonly string[]): Promise<Set<string>> {
    if (reportIds.length === 0) return new Set();
    const { rows } = await this.database.query<{ reportId: string }>(seen, [reportIds]);
    return new Set(rows.map(({ reportId }) => reportId));
  }

  async purgeReports(before: Date): Promise<boolean> {
    const { rowCount } = await this.database.query(purgeReports, [before, PURGED_AT_ONCE]);
    return rowCount === PURGED_AT_ONCE;
  }
}

function parametersOf(writes: readonly EmailWrite[]): string[] {
  const each = <Row>(rowsOf: (write: EmailWrite) => readonly Row[]) =>
    databaseJson(
      writes.flatMap((write) => rowsOf(write).map((row) => ({ emailId: write.email.id, ...row }))),
    );
  let ordinal = 0;
  return [
    databaseJson(writes.map(rowOf)),
    each(({ recipients }) => recipients),
    each(({ attempts }) => attempts),
    // Numbered, because the log keeps the order in which rows are inserted.
    each(({ outgoing }) => outgoing.map((row) => ({ ordinal: (ordinal += 1), ...row }))),
    each(({ keys }) => keys),
    each(({ reports }) => reports),
  ];
}

function rowOf({ email, before }: EmailWrite) {
  const isNew = before === null;
  const changing = {
    isNew,
    id: email.id,
    version: email.version,
    status: visibleStatus(email),
    queuedAt: email.queuedAt,
    updatedAt: email.updatedAt,
    refunded: email.refunded,
    settledAt: email.settledAt,
  };
  if (!isNew) return changing;
  const words = wordsOf(email);
  return {
    ...changing,
    workspaceId: email.workspaceId,
    testMode: email.testMode,
    command: email.command,
    fromAddress: storedAddress(words.from),
    toAddresses: words.recipients.map((address) => address.toLowerCase()),
    tags: words.tags,
    contentSha256: words.content_sha256,
    createdAt: email.createdAt,
    sendAt: email.sendAt,
  };
}

type StoredEmail = Stored<Omit<Email, 'recipients' | 'attempts' | 'occurrences'>> & {
  recipients: Stored<Recipient>[];
  attempts: Stored<EmailAttempt>[] | null;
};

function toEmail(stored: StoredEmail): Email {
  return {
    ...stored,
    createdAt: new Date(stored.createdAt),
    sendAt: timeOf(stored.sendAt),
    queuedAt: timeOf(stored.queuedAt),
    updatedAt: new Date(stored.updatedAt),
    settledAt: timeOf(stored.settledAt),
    recipients: stored.recipients.map(toRecipient),
    attempts: (stored.attempts ?? []).map((attempt) => ({
      ...attempt,
      startedAt: new Date(attempt.startedAt),
      finishedAt: timeOf(attempt.finishedAt),
    })),
    occurrences: [],
  };
}

function toRecipient(stored: Stored<Recipient>): Recipient {
  return {
    ...stored,
    dueAt: timeOf(stored.dueAt),
    delayedAt: timeOf(stored.delayedAt),
    sentAt: timeOf(stored.sentAt),
    deliveredAt: timeOf(stored.deliveredAt),
    endedAt: timeOf(stored.endedAt),
    complainedAt: timeOf(stored.complainedAt),
    openedAt: timeOf(stored.openedAt),
    clickedAt: timeOf(stored.clickedAt),
    unsubscribedAt: timeOf(stored.unsubscribedAt),
  };
}
