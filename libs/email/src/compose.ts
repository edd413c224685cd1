import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { MailComposerOptions } from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { parseMailbox } from './address.js';
import { type DkimSigning, signed } from './sign.js';
import { textFromHtml } from './text-from-html.js';
import { trackedHtml } from './tracking.js';
import type { Tracking } from './tracking.js';
import { hasControls, headerProblem, steersRelay, WORD_LENGTH_MAX } from './headers.js';

export interface EmailAttachment {
  readonly filename: string;
  /** Bytes in base64. */
  readonly content: string;
  readonly content_type?: string | null;
  /** Id of an image that the HTML shows as `cid:<content id>`. */
  readonly content_id?: string | null;
}

/** The part of an email that is the same for all recipients. It excludes blind copies. */
export interface EmailContent {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly reply_to: readonly string[];
  readonly subject: string;
  readonly html: string | null;
  /** Null: derived from the HTML. Empty: the email has no text. */
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly EmailAttachment[];
}

export interface ComposeOrder {
  readonly content: EmailContent;
  /** The `Message-ID` without angle brackets. */
  readonly messageId: string;
  readonly dateMs: number;
  /** Null in test mode, where no server verifies a signature. */
  readonly dkim: DkimSigning | null;
  /** Present for marketing email: the URL that unsubscribes with one click (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** Present beside the URL where the installation takes mail: a message to it unsubscribes, too. */
  readonly unsubscribeAddress?: string | undefined;
  readonly tracking?: Tracking;
}

const ENCODED_WORD_LENGTH = 52;
const BYTES = 'application/octet-stream';

/**
 * Returns the whole message with CRLF line ends, signed. The same order gives the same bytes, so an
 * attempt repeated after a crash sends the same message.
 */
export async function composeEmail(order: ComposeOrder): Promise<Buffer> {
  const { html, text } = order.content;
  const derived = text === null && html !== null ? await textFromHtml(html) : text;
  const message = await new MailComposer(optionsOf(order, derived)).compile().build();
  return order.dkim === null ? message : signed(message, order.dkim);
}

/** A stored email is validated again: a line break in a header would start another header. */
function optionsOf(order: ComposeOrder, text: string | null): MailComposerOptions {
  const { content, messageId, dateMs, tracking, unsubscribeUrl } = order;
  const { subject } = content;
  // An empty HTML part with a pixel would hide the text.
  const html = content.html || null;
  if (hasControls(subject) || hasControls(messageId))
    throw new Error('header with control character');
  const shown = html !== null && tracking ? trackedHtml(html, tracking, unsubscribeUrl) : html;
  return {
    from: mailboxOf(content.from),
    to: content.to.map(mailboxOf),
    cc: content.cc.map(mailboxOf),
    replyTo: content.reply_to.map(mailboxOf),
    subject: foldable(subject),
    messageId: `<${messageId}>`,
    date: new Date(dateMs),
    // An email with only an attachment still has a body.
    text: shown === null ? lines(text ?? '') : lines(text ?? '') || undefined,
    html: shown === null ? undefined : lines(shown),
    headers: headersOf(content.headers, order),
    attachments: content.attachments.map(attachmentOf),
    baseBoundary: boundaryOf(order),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Normalises line ends. Some servers end a message at a bare one, others do not. */
function lines(text: string): string {
  return text.replaceAll(/\r\n?|\n/g, '\r\n');
}

/** Lines break at spaces. A word longer than a line is encoded, which can break anywhere. */
function foldable(subject: string): string {
  const isFoldable = !subject.split(/[ \t]/).some((word) => word.length > WORD_LENGTH_MAX);
  return isFoldable ? subject : encodeWord(subject, 'Q', ENCODED_WORD_LENGTH);
}

function mailboxOf(text: string): { name: string; address: string } {
  const parsed = parseMailbox(text);
  if (!parsed.ok) throw new Error(`address ${parsed.problem.en}`);
  return { name: parsed.mailbox.name ?? '', address: parsed.mailbox.address };
}

function headersOf(
  given: Readonly<Record<string, string>>,
  { unsubscribeUrl, unsubscribeAddress }: ComposeOrder,
): { key: string; value: string }[] {
  const kept = Object.entries(given).filter(([key]) => !steersRelay(key));
  const headers = kept.map(([key, value]) => {
    const problem = headerProblem(key, value);
    if (problem !== null) throw new Error(`header ${problem.en}`);
    return { key, value };
  });
  if (unsubscribeUrl === undefined) return headers;
  const byMail = unsubscribeAddress === undefined ? '' : `, <mailto:${unsubscribeAddress}>`;
  return [
    ...headers,
    { key: 'List-Unsubscribe', value: `<${unsubscribeUrl}>${byMail}` },
    { key: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ];
}

function attachmentOf({ filename, content, content_type, content_id }: EmailAttachment) {
  const name = filename.split(/[/\\]/).at(-1)!;
  if (hasControls(name)) throw new Error('file name with control character');
  if (hasControls(content_type ?? '')) throw new Error('content type with control character');
  if (hasControls(content_id ?? '')) throw new Error('content id with control character');
  return {
    filename: name,
    content: Buffer.from(content, 'base64'),
    // RFC 2046 forbids base64 for composite types, and the receiver must get exactly the attached bytes.
    contentType: isComposite(content_type) ? BYTES : content_type || BYTES,
    contentTransferEncoding: 'base64',
    ...(content_id ? { cid: content_id, contentDisposition: 'inline' } : {}),
  };
}

function isComposite(contentType: string | null | undefined): boolean {
  return /^(?:multipart|message)\//i.test(contentType ?? '');
}

/**
 * Returns the MIME boundary. It follows from the content, and no part can be written to contain it.
 */
function boundaryOf({ content, messageId }: ComposeOrder): string {
  const hash = createHash('sha256').update(messageId).update(content.subject);
  for (const part of [content.html, content.text]) hash.update(`\n${part ?? ''}`);
  for (const attachment of content.attachments) hash.update(attachment.content);
  return hash.digest('hex').slice(0, 24);
}
