import type { EmailContent } from '@watchword/contracts';

/**
 * Factor. Quoted-printable makes at most three bytes of one, and adds three per line of 65 or more.
 */
const ENCODED_MAX = 3.2;
/** Factor for the line ends of base64. */
const WRAPPED = 1.03;
/** Factor. A byte of an encoded word takes three, with its frame and fold four; names of files come twice. */
const HEADERS_MAX = 8;
/** Bytes of our own headers, those of the parts, tokens and the signature. */
const OVERHEAD_BYTES = 64 * 1024;

export interface SizeBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * Returns bounds of the finished message's size. No encoding is shorter than its part. `linkBytes`
 * is the most that tracking adds to the HTML, `headerTexts` what the headers are made of.
 */
export function sizeBounds(
  { html, text, attachments }: EmailContent,
  linkBytes: number,
  headerTexts: readonly string[],
): SizeBounds {
  const names = attachments.flatMap(({ filename, content_type: type }) => [filename, type ?? '']);
  const ofHeaders = Buffer.byteLength([...headerTexts, ...names].join(''));
  const ofHtml = Buffer.byteLength(html ?? '');
  const ofText = Buffer.byteLength(text ?? '');
  const ofFiles = attachments.reduce((sum, { content }) => sum + content.length, 0);
  // A derived text is shorter than its HTML.
  const ofTexts = ofHtml * (text === null ? 2 : 1) + ofText + linkBytes;
  return {
    least: ofHtml + ofText + ofFiles,
    most: OVERHEAD_BYTES + ofHeaders * HEADERS_MAX + ofTexts * ENCODED_MAX + ofFiles * WRAPPED,
  };
}
