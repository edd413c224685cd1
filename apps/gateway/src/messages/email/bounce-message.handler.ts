import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EmailCarrierReport } from '@watchword/carriers';
import { readReportMessage, type RecipientRef, type ReportMessage } from '@watchword/email';
import { counter } from '@watchword/observability';
import { PublishEmailReportsHandler } from './publish-email-reports.handler.js';

/** A message to a return path with a token that the listener has verified. */
export interface BounceMessage {
  readonly ref: RecipientRef;
  /** Envelope sender. Empty for `<>`. */
  readonly from: string;
  readonly raw: Buffer;
}

const countReportMessage = counter(
  'watchword_report_messages_total',
  'Messages to return paths, by what they say. `ignored`: nothing that is believed.',
  { kind: ['delivered', 'delayed', 'bounced', 'complained', 'ignored'] },
);

/**
 * Reads what a server or a mailbox provider says about a sent email. The signed address sets the
 * email and the recipient; names in the message are not read.
 */
@Injectable()
export class BounceMessageHandler {
  constructor(private readonly publishing: PublishEmailReportsHandler) {}

  async handle({ ref, from, raw }: BounceMessage): Promise<void> {
    const message = await readReportMessage(raw);
    const report = isBelieved(message, from) ? reportOf(message, ref, raw) : null;
    countReportMessage({ kind: report?.kind ?? 'ignored' });
    if (report !== null) await this.publishing.publish(null, [report]);
  }
}

/**
 * Returns whether the message is trusted. Servers send status notifications only from the empty
 * address (RFC 3464 2); people cannot.
 */
function isBelieved({ kind }: ReportMessage, from: string): boolean {
  return kind !== 'other' && (kind === 'complained' || from === '');
}

/** Returns the report. A repeated message has the same id. */
function reportOf(
  message: ReportMessage,
  ref: RecipientRef,
  raw: Buffer,
): EmailCarrierReport | null {
  const hash = createHash('sha256').update(raw).digest('hex');
  const { emailId, recipient } = ref;
  const reportId = `smtp:${emailId}:${recipient}:${hash}`;
  const common = { reportId, emailId, recipient, occurredAt: null };
  switch (message.kind) {
    case 'bounced':
      return { ...common, kind: 'bounced', bounce: message.bounce, suppress: message.suppress };
    case 'complained':
      return { ...common, kind: 'complained', complaint: { type: message.type } };
    case 'delivered':
    case 'delayed':
      return { ...common, kind: message.kind };
    default:
      return null;
  }
}
