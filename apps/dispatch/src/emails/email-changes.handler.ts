import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { type ChangeRequest, keysOf, VersionedChanges } from '../messages/versioned-changes.js';
import { tidied } from './email-change.policy.js';
import { emailAnnouncements } from './email-event.policy.js';
import { DueEmailsPoll } from './due-emails-poll.js';
import { emailStepsOf } from './email-steps.policy.js';
import type { Email } from './email.js';
import { EmailStore, type EmailWrite, type TakenReport } from './email.store.js';

export type EmailChange = ChangeRequest<Email>['change'];

export interface EmailChangeRequest extends ChangeRequest<Email> {
  /** The report that the change applies. A report that was applied before changes nothing. */
  readonly report?: TakenReport;
}

/** Changes emails, with what they announce. */
@Injectable()
export class EmailChanges extends VersionedChanges<Email, EmailChangeRequest, EmailWrite> {
  constructor(
    private readonly store: EmailStore,
    private readonly poll: DueEmailsPoll,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const items = {
      read: store.read.bind(store),
      withoutRepeated: async (requests: readonly EmailChangeRequest[]) => {
        const reportIds = requests.flatMap(({ report }) => report?.reportId ?? []);
        return withoutRepeated(requests, await store.seen(reportIds));
      },
      writeOf,
      write: (writes: readonly EmailWrite[]) => this.write(writes),
      afterWrite: ({ email }: EmailWrite) => afterWrite(email),
    };
    super(items, clock);
  }

  /** Inserts new emails. Returns those that did not exist yet, as they are stored. */
  async insert(emails: readonly Email[]): Promise<Map<string, Email>> {
    const at = new Date(this.clock.now());
    const writes = emails.map((email) => writeOf(null, email, [], at));
    const written = await this.write(writes);
    const stored = writes.filter(({ email }) => written.has(email.id));
    return new Map(stored.map(({ email }) => [email.id, { ...email, occurrences: [] }]));
  }

  private async write(unsorted: readonly EmailWrite[]): Promise<Set<string>> {
    const writes = unsorted.toSorted((one, other) => (one.email.id < other.email.id ? -1 : 1));
    const written = await this.store.write(writes);
    for (const write of writes) if (written.has(write.email.id)) this.note(write);
    return written;
  }

  private note({ before, email }: EmailWrite): void {
    this.poll.pollWhenDue(email);
    if (!this.logger.isLevelEnabled('info')) return;
    for (const { text, fields } of emailStepsOf(before, email)) this.logger.info(fields, text);
  }
}

function writeOf(
  before: Email | null,
  changed: Email,
  requests: readonly EmailChangeRequest[],
  at: Date,
): EmailWrite {
  const after = tidied(changed, at);
  return {
    email: after,
    before,
    recipients: after.recipients.filter((one) => !before?.recipients.includes(one)),
    attempts: after.attempts.filter((one) => !before?.attempts.includes(one)),
    outgoing: emailAnnouncements(before, after),
    keys: keysOf(requests),
    reports: requests.flatMap(({ report }) => report ?? []),
  };
}

/** Returns the email as it is after the write. */
function afterWrite(email: Email): Email {
  return { ...email, version: email.version + 1, occurrences: [] };
}

/** Returns reports without repetitions: one counts once, however often a batch contains it. */
function withoutRepeated(
  requests: readonly EmailChangeRequest[],
  seen: ReadonlySet<string>,
): EmailChangeRequest[] {
  const taken = new Set(seen);
  return requests.filter(({ report }) => {
    if (report === undefined) return true;
    if (taken.has(report.reportId)) return false;
    taken.add(report.reportId);
    return true;
  });
}
