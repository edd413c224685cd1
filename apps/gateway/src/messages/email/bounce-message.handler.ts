import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EmailCarrierReport } from '@watchword/carriers';
import { readReportMessage, type RecipientRef, type ReportMessage } from '@watchword/email';
import { counter, type Logger } from '@watchword/observability';
import { LOGGER } from '@watchword/platform';
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

const countIgnored = counter(
  'watchword_bounces_ignored_total',
  'Messages to return paths that change nothing. `unknown_word`: a report with a word that is not read.',
  { reason: ['sender', 'no_report', 'unknown_word', 'no_result'] },
);
/** A sender can invent words without end. */
const WORDS_LOGGED_MAX = 100;

/**
 * Reads what a server or a mailbox provider says about a sent email. The signed address sets the
 * email and the recipient; names in the message are not read.
 */
@Injectable()
export class BounceMessageHandler {
  private readonly loggedWords = new Set<string>();

  constructor(
    private readonly publishing: PublishEmailReportsHandler,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async handle({ ref, from, raw }: BounceMessage): Promise<void> {
    const message = await readReportMessage(raw);
    const report = isBelieved(message, from) ? reportOf(message, ref, raw) : null;
    countReportMessage({ kind: report?.kind ?? 'ignored' });
    if (report !== null) await this.publishing.publish(null, [report]);
    else this.ignore(message);
  }

  private ignore(message: ReportMessage): void {
    countIgnored({ reason: message.kind === 'other' ? message.reason : 'sender' });
    const word = message.kind === 'other' ? message.word : undefined;
    if (word === undefined || this.loggedWords.has(word)) return;
    if (this.loggedWords.size >= WORDS_LOGGED_MAX) return;
    this.loggedWords.add(word);
    this.logger.warn({ word }, 'report with an unknown word ignored');
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
