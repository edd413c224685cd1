import { Inject, Injectable } from '@nestjs/common';
import type { Bus, OutgoingMessage } from '@watchword/bus';
import type { EmailCarrierReport } from '@watchword/carriers';
import { asId, type Clock, type EmailReport, TOPICS } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { BUS, CLOCK, LOGGER } from '@watchword/platform';

const REPORT_ID_LENGTH_MAX = 200;

/** Publishes a verified report of an email. Its sender is answered afterwards. */
@Injectable()
export class PublishEmailReportsHandler {
  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async publish(provider: string | null, reports: readonly EmailCarrierReport[]): Promise<void> {
    if (reports.length === 0) return;
    const receivedAt = new Date(this.clock.now()).toISOString();
    const messages = reports.map((report) => outgoing(provider, report, receivedAt));
    crashPoint('gateway.email-report.before-publish');
    await this.bus.publish(TOPICS.emailReports, messages);
    crashPoint('gateway.email-report.after-publish');
    for (const { emailId: messageId, kind, recipient } of reports) {
      this.logger.info({ messageId, provider, kind, recipient }, 'email report received');
    }
  }
}

function outgoing(
  provider: string | null,
  { reportId, emailId, occurredAt, ...report }: EmailCarrierReport,
  receivedAt: string,
): OutgoingMessage {
  const payload: EmailReport = {
    report_id: reportId.slice(0, REPORT_ID_LENGTH_MAX),
    kind: report.kind,
    email_id: asId(emailId),
    recipient: report.recipient,
    provider,
    ...(report.bounce ? { bounce: report.bounce, suppress: report.suppress ?? false } : {}),
    ...(report.complaint ? { complaint: report.complaint } : {}),
    occurred_at: occurredAt ?? receivedAt,
    received_at: receivedAt,
  };
  return {
    id: payload.report_id,
    key: emailId,
    type: 'svc.email-report.v1',
    payload: JSON.stringify(payload),
    time: receivedAt,
  };
}
