import { type Clock, type EmailReport, isUuid } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { withReport } from './email-change.policy.js';
import type { EmailChanges } from './email-changes.handler.js';
import type { EmailStore } from './email.store.js';
import type { SuppressionEntry, Suppressions } from './ports.js';
import { originOf, suppressionByReport } from './suppression.policy.js';

/**
 * What came back of emails. The email and the recipient are those of the signed token; a report about an email
 * that is not there changes nothing, but an unsubscribe holds all the same. The list is written before the email:
 * a crash in between repeats both, and both know what they did.
 */
export class EmailReportHandler {
  constructor(
    private readonly emails: EmailStore,
    private readonly changes: EmailChanges,
    private readonly suppressions: Suppressions,
    private readonly clock: Clock,
  ) {}

  async handle(reports: readonly EmailReport[]): Promise<void> {
    const named = reports.filter(({ email_id: id }) => isUuid(id));
    const ids = [...new Set(named.map(({ email_id: id }) => id))];
    const known = await this.emails.read(ids.map((id) => ({ id })));
    const at = new Date(this.clock.now());
    const entries = named.flatMap((report) => {
      const email = known.get(report.email_id.toLowerCase());
      const entry = email ? suppressionByReport(email, report, at) : unknownEmail(report, at);
      return entry ?? [];
    });
    if (entries.length > 0) await this.suppressions.add(entries);
    const about = named.filter(({ email_id: id }) => known.has(id.toLowerCase()));
    crashPoint('dispatch.email-report.before-change');
    await this.changes.apply(
      about.map((report) => ({
        id: report.email_id.toLowerCase(),
        report: { reportId: report.report_id, receivedAt: report.received_at },
        change: (email, now) => withReport(email, report, now),
      })),
    );
    crashPoint('dispatch.email-report.after-change');
  }
}

/** An unsubscribe link carries the workspace and the address, signed, because it outlives its email. */
function unknownEmail(report: EmailReport, at: Date): SuppressionEntry | null {
  const { workspace_id: workspaceId, address } = report;
  if (originOf(report) !== 'unsubscribe') return null;
  if (!workspaceId || !address || !isUuid(workspaceId)) return null;
  return { workspaceId, address, origin: 'unsubscribe', scope: 'marketing', at };
}
