import type { EmailContent } from '@watchword/contracts';

/** Quoted-printable makes at most three bytes of one, and ends its lines with three more after 65 or later. */
const ENCODED_MAX = 3.2;
/** Line ends of base64. */
const WRAPPED = 1.03;
/** Headers of the message and of its parts, tokens and the signature. */
const OVERHEAD_BYTES = 64 * 1024;

export interface SizeBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * Between which sizes the finished message lies. No encoding of a part is shorter than the part. `linkBytes`: what
 * tracking adds to the HTML at most.
 */
export function sizeBounds(
  { html, text, attachments }: EmailContent,
  linkBytes: number,
): SizeBounds {
  const ofHtml = Buffer.byteLength(html ?? '');
  const ofText = Buffer.byteLength(text ?? '');
  const ofFiles = attachments.reduce((sum, { content }) => sum + content.length, 0);
  // A derived text is shorter than its HTML.
  const ofTexts = ofHtml * (text === null ? 2 : 1) + ofText + linkBytes;
  return {
    least: ofHtml + ofText + ofFiles,
    most: OVERHEAD_BYTES + ofTexts * ENCODED_MAX + ofFiles * WRAPPED,
  };
}
