import { randomUUID } from 'node:crypto';
import type { Code, Receipt } from '../outcomes/outcome.js';

export interface ReportedEmail {
  /** Envelope sender, to which the report goes. */
  readonly returnPath: string;
  readonly to: string;
  readonly raw: Buffer;
  /** `ENVID` of the envelope. */
  readonly envelopeId?: string | undefined;
}

const HOST = 'mx.sim.test';
const HEADERS_BYTES_MAX = 64 * 1_024;

const STATUS: Readonly<Record<Receipt['outcome'], string>> = {
  delivered: '2.1.5',
  failed: '5.1.1',
  buffered: '4.4.1',
  complained: '',
};

const ACTION: Readonly<Record<Receipt['outcome'], string>> = {
  delivered: 'delivered',
  failed: 'failed',
  buffered: 'delayed',
  complained: '',
};

/**
 * Returns a delivery status notification (RFC 3464) or a complaint (RFC 5965), as servers write
 * them.
 */
export function reportMessage(email: ReportedEmail, { outcome, code }: Receipt): string {
  return outcome === 'complained'
    ? complaint(email, code)
    : statusNotification(email, outcome, code);
}

function statusNotification(
  email: ReportedEmail,
  outcome: Exclude<Receipt['outcome'], 'complained'>,
  code: Code | undefined,
): string {
  const { status, answer } = statusOf(outcome, code);
  const machine = [
    `Reporting-MTA: dns; ${HOST}`,
    ...(email.envelopeId ? [`Original-Envelope-Id: ${email.envelopeId}`] : []),
    `Arrival-Date: ${new Date().toUTCString()}`,
    '',
    `Original-Recipient: rfc822;${email.to}`,
    `Final-Recipient: rfc822;${email.to}`,
    `Action: ${ACTION[outcome]}`,
    `Status: ${status}`,
    ...(outcome === 'delivered' ? [] : [`Diagnostic-Code: smtp; ${answer}`]),
  ];
  return report(email, 'delivery-status', 'message/delivery-status', machine, [
    `This is the mail system at ${HOST}.`,
    `Your email to ${email.to}: ${ACTION[outcome]}.`,
  ]);
}

/** Returns `550 5.2.2`, `5.2.2` or nothing. */
function statusOf(outcome: Receipt['outcome'], code: Code | undefined) {
  const text = String(code ?? '');
  const reply = /\b[45]\d\d\b/.exec(text)?.[0];
  const enhanced = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(text)?.[0];
  // Exim and Courier write X.0.0 for an answer without an enhanced code, regardless of its first digit.
  const status = enhanced ?? (reply === undefined ? STATUS[outcome] : '5.0.0');
  const words = `simulated ${ACTION[outcome]}`;
  if (reply !== undefined && enhanced === undefined) return { status, answer: `${reply} ${words}` };
  return {
    status,
    answer: `${reply ?? (status.startsWith('4') ? '450' : '550')} ${status} ${words}`,
  };
}

function complaint(email: ReportedEmail, code: Code | undefined): string {
  const machine = [
    `Feedback-Type: ${code ?? 'abuse'}`,
    `User-Agent: ${HOST}/1.0`,
    'Version: 1',
    `Original-Mail-From: <${email.returnPath}>`,
    `Original-Rcpt-To: <${email.to}>`,
    `Arrival-Date: ${new Date().toUTCString()}`,
  ];
  return report(email, 'feedback-report', 'message/feedback-report', machine, [
    'The reader of this email called it spam.',
  ]);
}

function report(
  email: ReportedEmail,
  reportType: string,
  contentType: string,
  machine: readonly string[],
  words: readonly string[],
): string {
  const boundary = `report-${randomUUID()}`;
  return [
    `From: Mail Delivery System <MAILER-DAEMON@${HOST}>`,
    `To: <${email.returnPath}>`,
    'Subject: Delivery report',
    `Message-ID: <${randomUUID()}@${HOST}>`,
    `Date: ${new Date().toUTCString()}`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${reportType}; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    ...words,
    '',
    `--${boundary}`,
    `Content-Type: ${contentType}`,
    '',
    ...machine,
    '',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    headersOf(email.raw),
    '',
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

function headersOf(raw: Buffer): string {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.subarray(0, Math.min(end < 0 ? raw.length : end, HEADERS_BYTES_MAX));
  return head.toString('latin1');
}
