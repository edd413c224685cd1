import type { Attachment, ParsedMail, StructuredHeader } from 'mailparser';
import { bounceOfStatus } from './smtp-answer.policy.js';
import type { JudgedBounce } from './smtp-answer.policy.js';
import { GIVEN_UP, readTextBounce } from './text-bounce.js';

/** Why a message changes nothing. */
export type IgnoredReason =
  /** No report: a reply, an out-of-office note, or a message that cannot be read. */
  | 'no_report'
  /** A report with an action or a complaint that has no meaning here. */
  | 'unknown_word'
  /** A report without a result, with several ones, or one that contradicts itself. */
  | 'no_result';

/** What a message to a return path says about the email that it answers. */
export type ReportMessage =
  | { readonly kind: 'delivered'; readonly code: string | null }
  | { readonly kind: 'delayed'; readonly code: string | null; readonly message: string | null }
  | ({ readonly kind: 'bounced' } & JudgedBounce)
  | { readonly kind: 'complained'; readonly type: string }
  | { readonly kind: 'other'; readonly reason: IgnoredReason; readonly word?: string };

/** Bytes that are read. The report stands before the email that it returns. */
export const REPORT_BYTES_MAX = 256 * 1_024;
const PARTS_MAX = 20;
const HEAD_BYTES_MAX = 64 * 1_024;
const STATUS_BYTES_MAX = 64 * 1_024;
const RECIPIENTS_MAX = 50;
const WORD_LENGTH_MAX = 40;
/**
 * Each boundary declares a level of parts. A report has one, and one more in the returned email.
 */
const BOUNDARIES_MAX = 12;

const NO_REPORT: ReportMessage = { kind: 'other', reason: 'no_report' };
const NO_RESULT: ReportMessage = { kind: 'other', reason: 'no_result' };
const COMPLAINTS = new Set(['abuse', 'fraud', 'virus', 'other']);
/** RFC 3464 2.3.3 has `failed` only. */
const FAILURES = new Set(['failed', 'failure', 'error', 'expired']);
/** nullmailer 2.2 writes one report, when it gives up, and calls it a delay after a code of 4xx. */
const NULLMAILER = /^This is the nullmailer delivery system/m;
/** The reason beside the address, or in the lines below it, further to the right. */
const REASONS =
  /^(?:[^\s:@]{1,256}@[^\s:]{1,255}: (.+)| {1,8}[^\s:@]{1,256}@[^\s:]{1,255}:?\n((?:[ \t]{3,}\S.*(?:\n|$)){1,20}))/gm;
/** Some servers name the type of the part in `report-type`, too. */
const REPORT_TYPES = new Set(['delivery-status', 'global-delivery-status']);
/** RFC 3464 and RFC 6533 for addresses in UTF-8. */
const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status'];

/**
 * Reads a delivery status notification (RFC 3464), a complaint (RFC 5965) or a bounce in text. Its
 * sender cannot choose the email it is about: the signed address it was sent to fixes that.
 */
export async function readReportMessage(whole: Buffer): Promise<ReportMessage> {
  const raw = whole.subarray(0, REPORT_BYTES_MAX);
  if (!isBounded(raw)) return NO_REPORT;
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
  if (parsed === null) return NO_REPORT;
  const { attachments } = parsed;
  const report = reportTypeOf(parsed);
  if (report === 'feedback-report') {
    return readFeedback(partOf(attachments, ['message/feedback-report']));
  }
  if (report !== null && !REPORT_TYPES.has(report)) return NO_REPORT;
  if (attachments.some(isStatus)) {
    return readStatus(partOf(attachments, STATUS_TYPES), parsed.text ?? '');
  }
  const read = readTextBounce(parsed);
  if (report === null) return read ?? NO_REPORT;
  // A report without its part counts only for a server's answer in its text.
  return read?.kind === 'bounced' && read.bounce.code !== null ? read : NO_RESULT;
}

/** Returns null where the message names no type: some servers leave it out, or send `mixed`. */
function reportTypeOf({ headers }: ParsedMail): string | null {
  const type = headers.get('content-type') as StructuredHeader | undefined;
  if (type?.value.toLowerCase() !== 'multipart/report') return null;
  return type.params['report-type']?.toLowerCase() || null;
}

function isStatus({ contentType }: Attachment): boolean {
  return STATUS_TYPES.includes(contentType.toLowerCase());
}

/**
 * Returns the reason from the text for people, the only place where OpenSMTPD writes the next
 * server's answer, and where it and Exim write a reason of their own. Null when the text names
 * several recipients.
 */
function reasonIn(text: string): string | null {
  const found = [...text.matchAll(REASONS)].map(([, beside, below]) => beside ?? below!);
  return found.length === 1 ? found[0]!.trim() : null;
}

function isBounded(raw: Buffer): boolean {
  const boundaries = raw.toString('latin1').matchAll(/boundary\s*=/gi);
  let count = 0;
  for (const _boundary of boundaries) if (++count > BOUNDARIES_MAX) return false;
  return true;
}

/** Returns the text of the report's only part of these types. Null when there is none, or several. */
function partOf(attachments: readonly Attachment[], types: readonly string[]): string | null {
  const found = attachments.filter((one) => types.includes(one.contentType.toLowerCase()));
  const [only] = found;
  if (found.length !== 1 || !/^\d{1,2}(?:\.\d{1,2}){0,2}$/.test(only!.partId ?? '')) return null;
  const { content } = only!;
  return content.length > STATUS_BYTES_MAX ? null : content.toString('utf8');
}

function readStatus(status: string | null, text: string): ReportMessage {
  // The first block is about the message, each further one about a recipient.
  const blocks = fieldBlocks(status ?? '').filter((block) => block.has('action'));
  if (blocks.length === 0 || blocks.length > RECIPIENTS_MAX) return NO_RESULT;
  const about = { reason: reasonIn(text), isNullmailer: NULLMAILER.test(text) };
  const results = blocks.map((fields) => readRecipient(fields, about));
  // A list that forwarded to several recipients with different results says nothing about its
  // address.
  const [first] = results;
  return results.every(({ kind }) => kind === first!.kind) ? first! : NO_RESULT;
}

function readRecipient(
  fields: ReadonlyMap<string, string>,
  { reason, isNullmailer }: { reason: string | null; isNullmailer: boolean },
): ReportMessage {
  const action = fields
    .get('action')!
    .split(/[\s;(]/)[0]!
    .toLowerCase();
  const [, status = null, comment = ''] =
    /^([245]\.\d{1,3}\.\d{1,3})(?:\s*\((.*)\))?/.exec(fields.get('status') ?? '') ?? [];
  const isVague = status === null || /^[45]\.0\.0$/.test(status);
  const isAnswer = /^[45]\d\d[ -]/.test(reason ?? '');
  const given = fields.get('diagnostic-code')?.replace(/^[\w-]+\s*;\s*/, '') ?? (comment || null);
  const diagnostic = given ?? (isVague || isAnswer ? reason : null);
  if (action === 'delivered' || action === 'expanded') return { kind: 'delivered', code: status };
  // RFC 3463 3.5: the delivery time has expired. OpenSMTPD calls it "delayed" when it gives up.
  const isExpired = /^[45]\.4\.7$/.test(status ?? '');
  const isLast = isExpired || (isNullmailer && !fields.has('will-retry-until'));
  if (action === 'delayed' && !isLast) {
    const message = bounceOfStatus('4.0.0', diagnostic).bounce.message;
    return { kind: 'delayed', code: status, message };
  }
  // A failure with a success status is no failure. A relay that hands on has no result yet.
  if (action === 'relayed' || status?.startsWith('2.')) return NO_RESULT;
  if (!FAILURES.has(action) && !isLast) {
    return { kind: 'other', reason: 'unknown_word', word: wordOf(action) };
  }
  const isGivenUp = isVague && GIVEN_UP.test(diagnostic ?? '');
  const judged = bounceOfStatus(isGivenUp ? '4.4.7' : status, diagnostic);
  // A relay that gives its own reason does not know the mailbox.
  const isOwnReason = given === null && diagnostic !== null && !isAnswer;
  if (!isOwnReason || !judged.suppress) return { kind: 'bounced', ...judged };
  return { kind: 'bounced', bounce: { ...judged.bounce, sub_type: 'general' }, suppress: false };
}

/** Only the letters of a word are logged: the field can hold anything. */
function wordOf(text: string): string {
  return text.replaceAll(/[^a-z-]/g, '').slice(0, WORD_LENGTH_MAX);
}

function readFeedback(text: string | null): ReportMessage {
  const [fields] = fieldBlocks(text ?? '');
  const type = fields?.get('feedback-type')?.toLowerCase() ?? '';
  if (COMPLAINTS.has(type)) return { kind: 'complained', type };
  return type === '' ? NO_RESULT : { kind: 'other', reason: 'unknown_word', word: wordOf(type) };
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
