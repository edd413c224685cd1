import {
  EMAIL_BYTES_MAX,
  type EmailCommand,
  type EmailContent,
  INPUT_PROBLEMS,
} from '@watchword/contracts';
import { composedSize } from '@watchword/email';
import { invalid } from './email-inputs.policy.js';

/** Quoted-printable makes at most three bytes of one. */
const ENCODED_MAX = 3;
/** Line ends of base64. */
const WRAPPED = 1.03;
/** Headers of the message and of its parts, tokens and the signature. */
const OVERHEAD_BYTES = 64 * 1024;

/** The finished message must fit. It is composed only when it could be too large. */
export async function checkSize(email: EmailCommand, content: EmailContent): Promise<void> {
  if (estimateOf(content) <= EMAIL_BYTES_MAX) return;
  const size = await composedSize({
    content: {
      ...{ from: email.from, to: email.to, cc: email.cc, reply_to: email.reply_to },
      ...{ subject: email.subject, headers: email.headers },
      ...content,
    },
    messageId: 'size@localhost',
    dateMs: 0,
  });
  if (size > EMAIL_BYTES_MAX) {
    throw invalid('attachments', INPUT_PROBLEMS.emailBytesMax(EMAIL_BYTES_MAX));
  }
}

/** Never less than the finished message has. A derived text is shorter than its HTML. */
function estimateOf({ html, text, attachments }: EmailContent): number {
  const ofHtml = Buffer.byteLength(html ?? '') * (text === null ? 2 : 1);
  const ofTexts = (ofHtml + Buffer.byteLength(text ?? '')) * ENCODED_MAX;
  const ofFiles = attachments.reduce((sum, { content }) => sum + content.length, 0) * WRAPPED;
  return OVERHEAD_BYTES + ofTexts + ofFiles;
}
