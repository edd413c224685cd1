import type { Attachment, ParsedMail, StructuredHeader } from 'mailparser';
import { bounceOfStatus } from './smtp-answer.policy.js';
import type { JudgedBounce } from './smtp-answer.policy.js';

/** What a message to a return path says about the email that it answers. */
export type ReportMessage =
  | { readonly kind: 'delivered'; readonly code: string | null }
  | { readonly kind: 'delayed'; readonly code: string | null; readonly message: string | null }
  | ({ readonly kind: 'bounced' } & JudgedBounce)
  | { readonly kind: 'complained'; readonly type: string }
  /** A reply, an out-of-office note or an empty report. It changes nothing. */
  | { readonly kind: 'other' };

/** Bytes. A real report is a few kilobytes; one that returns the whole email may be larger. */
export const REPORT_BYTES_MAX = 1_024 * 1_024;
const PARTS_MAX = 20;
const HEAD_BYTES_MAX = 64 * 1_024;
const STATUS_BYTES_MAX = 64 * 1_024;
const RECIPIENTS_MAX = 50;
/**
 * Each boundary declares a level of parts. A report has one, and one more in the returned email.
 */
const BOUNDARIES_MAX = 12;

const OTHER: ReportMessage = { kind: 'other' };
const COMPLAINTS = new Set(['abuse', 'fraud', 'virus', 'other']);

/**
 * Reads a delivery status notification (RFC 3464) or a complaint (RFC 5965). Its sender cannot
 * choose the email it is about: the signed address it was sent to fixes that.
 */
export async function readReportMessage(raw: Buffer): Promise<ReportMessage> {
  if (!isBounded(raw)) return OTHER;
  // Large, and used by a process that gets bounces only.
  const { simpleParser } = await import('mailparser');
  const parsed = await simpleParser(raw, {
    keepDeliveryStatus: true,
    ignoreEmbedded: true,
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    maxHeadSize: HEAD_BYTES_MAX,
    maxChildNodes: PARTS_MAX,
  }).catch(() => null);
  if (parsed === null) return OTHER;
  const report = reportTypeOf(parsed);
  if (report === 'delivery-status') {
    const status = partOf(parsed.attachments, 'message/delivery-status');
    return readStatus(status, diagnosisIn(parsed.text ?? ''));
  }
  if (report === 'feedback-report') {
    return readFeedback(partOf(parsed.attachments, 'message/feedback-report'));
  }
  return OTHER;
}

/**
 * OpenSMTPD labels its reports `multipart/mixed`, although they have the three parts of RFC 3464.
 */
function reportTypeOf({ headers, attachments }: ParsedMail): string | null {
  const type = headers.get('content-type') as StructuredHeader | undefined;
  const value = type?.value.toLowerCase();
  if (value === 'multipart/report') return type!.params['report-type']?.toLowerCase() ?? null;
  if (value !== 'multipart/mixed') return null;
  return partOf(attachments, 'text/rfc822-headers') === null ? null : 'delivery-status';
}

/**
 * Returns the next server's answer from the text for people, the only place where OpenSMTPD writes
 * it. Null when the text names several recipients.
 */
function diagnosisIn(text: string): string | null {
  const lines = [...text.matchAll(/^[^\s:]{1,320}: ([45]\d\d[ -].*)$/gm)];
  return lines.length === 1 ? lines[0]![1]! : null;
}

function isBounded(raw: Buffer): boolean {
  if (raw.length > REPORT_BYTES_MAX) return false;
  const boundaries = raw.toString('latin1').matchAll(/boundary\s*=/gi);
  let count = 0;
  for (const _boundary of boundaries) if (++count > BOUNDARIES_MAX) return false;
  return true;
}

/** Returns the text of the report's only part of this type. Null when there is none, or several. */
function partOf(attachments: readonly Attachment[], type: string): string | null {
  const found = attachments.filter((one) => one.contentType.toLowerCase() === type);
  const [only] = found;
  if (found.length !== 1 || !/^\d{1,2}$/.test(only!.partId ?? '')) return null;
  const { content } = only!;
  return content.length > STATUS_BYTES_MAX ? null : content.toString('utf8');
}

function readStatus(text: string | null, diagnosis: string | null): ReportMessage {
  // The first block is about the message, each further one about a recipient.
  const blocks = fieldBlocks(text ?? '').filter((block) => block.has('action'));
  if (blocks.length === 0 || blocks.length > RECIPIENTS_MAX) return OTHER;
  const results = blocks.map((fields) => readRecipient(fields, diagnosis));
  // A list that forwarded to several recipients with different results says nothing about its
  // address.
  const [first] = results;
  return results.every(({ kind }) => kind === first!.kind) ? first! : OTHER;
}

function readRecipient(
  fields: ReadonlyMap<string, string>,
  diagnosis: string | null,
): ReportMessage {
  const action = fields
    .get('action')!
    .split(/[\s;(]/)[0]!
    .toLowerCase();
  const status = /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? null;
  const diagnostic = fields.get('diagnostic-code')?.replace(/^[\w-]+\s*;\s*/, '') ?? diagnosis;
  if (action === 'delivered' || action === 'expanded') return { kind: 'delivered', code: status };
  if (action === 'delayed') {
    const message = bounceOfStatus('4.0.0', diagnostic).bounce.message;
    return { kind: 'delayed', code: status, message };
  }
  // A failure with a success status is no failure.
  if (action !== 'failed' || status?.startsWith('2.')) return OTHER;
  return { kind: 'bounced', ...bounceOfStatus(status, diagnostic) };
}

function readFeedback(text: string | null): ReportMessage {
  const [fields] = fieldBlocks(text ?? '');
  const type = fields?.get('feedback-type')?.toLowerCase() ?? '';
  return COMPLAINTS.has(type) ? { kind: 'complained', type } : OTHER;
}

/**
 * Returns blocks of header fields with folded lines joined. The first of two fields with one name
 * counts.
 */
function fieldBlocks(text: string): Map<string, string>[] {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map((block) => {
      const fields = new Map<string, string>();
      for (const line of block.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
        const colon = line.indexOf(':');
        const name = line.slice(0, colon).trim().toLowerCase();
        if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
      }
      return fields;
    });
}
