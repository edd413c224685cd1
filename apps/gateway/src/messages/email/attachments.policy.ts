import type { EmailContent, SendEmailBody } from '@watchword/contracts';
import { hasControls } from '@watchword/email';
import { invalid } from './email-inputs.policy.js';

type Given = NonNullable<SendEmailBody['attachments']>[number];
type Attachment = EmailContent['attachments'][number];

const UNKNOWN_TYPE = 'application/octet-stream';
/** Content types of the most common file endings. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['gif', 'image/gif'],
  ['html', 'text/html'],
  ['ics', 'text/calendar'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['json', 'application/json'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain'],
  ['webp', 'image/webp'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['xml', 'application/xml'],
  ['zip', 'application/zip'],
]);
/** RFC 2045: a type, a subtype and parameters, in printable ASCII. A line break would begin another header. */
const TOKEN = String.raw`[\w!#$%&'*+.^\x60{|}~-]`;
const QUOTED = String.raw`"(?:[ !#-\[\]-~]|\\[ -~])*"`;
const TYPE = new RegExp(
  String.raw`^${TOKEN}{1,127}/${TOKEN}{1,127}(?:[ \t]*;[ \t]*${TOKEN}+=(?:${TOKEN}+|${QUOTED}))*$`,
);
/** Printable ASCII without blanks and angle brackets. */
const CONTENT_ID = /^[\x21-\x3b\x3d\x3f-\x7e]{1,128}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function readAttachments(given: readonly Given[] = []): Attachment[] {
  return given.map((attachment, index) => readAttachment(attachment, `attachments.${index}`));
}

function readAttachment(given: Given, at: string): Attachment {
  const { content, content_id: contentId = null } = given;
  const filename = lastSegmentOf(given.filename).trim();
  if (filename === '' || hasControls(filename)) throw invalid(`${at}.filename`, 'form');
  const isPadded = content.length % 4 === 0 && BASE64.test(content);
  if (!isPadded) throw invalid(`${at}.content`, 'notBase64');
  const contentType = given.content_type ?? typeOf(filename);
  if (!TYPE.test(contentType)) throw invalid(`${at}.content_type`, 'contentType');
  if (contentId !== null && !CONTENT_ID.test(contentId)) throw invalid(`${at}.content_id`, 'form');
  return { filename, content, content_type: contentType, content_id: contentId };
}

function lastSegmentOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function typeOf(filename: string): string {
  const ending = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  return TYPES.get(ending) ?? UNKNOWN_TYPE;
}

/** Returns the bytes of a file in padded base64. */
export function sizeOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}
