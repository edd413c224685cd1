import { Inject, Injectable } from '@nestjs/common';
import { type Clock, type EmailReport, isUuid, lowerId } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { CLOCK } from '@watchword/platform';
import { withReport } from './email-change.policy.js';
import { EmailChanges } from './email-changes.handler.js';
import type { Email } from './email.js';
import { EmailStore } from './email.store.js';
import {
  EMAIL_PARTS,
  type EmailParts,
  type StandingEntry,
  type SuppressionEntry,
} from './email-parts.port.js';
import { originOf, suppressionByReport } from './suppression.policy.js';

/**
 * Applies reports about emails. The signed token names email and recipient. A report about an
 * unknown email changes nothing, except that an unsubscribe still counts. The suppression is
 * written before the email. A crash in between repeats both, and both are idempotent.
 */
@Injectable()
export class EmailReportHandler {
  constructor(
    private readonly emails: EmailStore,
    private readonly changes: EmailChanges,
    @Inject(EMAIL_PARTS) private readonly parts: Pick<EmailParts, 'suppressions'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async handle(reports: readonly EmailReport[]): Promise<void> {
    const named = await this.unseen(reports.filter(({ email_id: id }) => isUuid(id)));
    const ids = [...new Set(named.map(({ email_id: id }) => id))];
    const known = await this.emails.read(ids.map((id) => ({ id })));
    const at = new Date(this.clock.now());
    const entries = named.flatMap((report) => {
      const email = known.get(lowerId(report.email_id));
      const entry = email ? suppressionByReport(email, report, at) : unknownEmail(report, at);
      return entry ?? [];
    });
    const standing = entries.length > 0 ? await this.parts.suppressions.add(entries) : [];
    const listed = new Map(standing.map((entry) => [keyOfStanding(entry), entry]));
    const about = named.filter(({ email_id: id }) => known.has(lowerId(id)));
    crashPoint('dispatch.email-report.before-change');
    await this.changes.apply(
      about.map((report) => ({
        id: lowerId(report.email_id),
        report: { reportId: report.report_id, receivedAt: report.received_at },
        change: (email, now) => withReport(email, report, now, listedAt(email, report, listed)),
      })),
    );
    crashPoint('dispatch.email-report.after-change');
  }

  /** A report that was applied puts no address back that was taken off the list since. */
  private async unseen(reports: readonly EmailReport[]): Promise<readonly EmailReport[]> {
    const seen = await this.emails.seen(reports.map(({ report_id: id }) => id));
    return reports.filter(({ report_id: id }) => !seen.has(id));
  }
}

/** Since when the entry that the report asks for stands. */
function listedAt(
  email: Email,
  report: EmailReport,
  listed: ReadonlyMap<string, StandingEntry>,
): Date | null {
  const entry = suppressionByReport(email, report, email.updatedAt);
  const standing = entry && listed.get(keyOfEntry(entry));
  return standing ? new Date(standing.suppression.created_at) : null;
}

function keyOfEntry({ workspaceId, address, scope }: Omit<SuppressionEntry, 'origin' | 'at'>) {
  return `${workspaceId} ${address.toLowerCase()} ${scope}`;
}

function keyOfStanding({ workspaceId, suppression }: StandingEntry): string {
  return keyOfEntry({ workspaceId, ...suppression });
}

/**
 * Returns the suppression of an unsubscribe from a deleted email. Its signed link has workspace
 * and address.
 */
function unknownEmail(report: EmailReport, at: Date): SuppressionEntry | null {
  const { workspace_id: workspaceId, address } = report;
  if (originOf(report) !== 'unsubscribe') return null;
  if (!workspaceId || !address || !isUuid(workspaceId)) return null;
  return { workspaceId, address, origin: 'unsubscribe', scope: 'marketing', at };
}
