import library from 'smpp';
import { type Delivery, TAG } from './delivery.js';

/** Alphabet of the SMSC behind `data_coding` 0. */
export type DefaultAlphabet = 'gsm' | 'ascii' | 'latin1';

type Decode = (bytes: Buffer, headers: readonly Buffer[]) => string;

const HAS_HEADERS = 0x40;
/** Elements of a user data header: `id, length, data`. Those of parts end with total and number. */
const PARTS = [0x00, 0x08];
const PORTS = [0x04, 0x05];
/** Elements that name a national language's tables. */
const LANGUAGES = [0x24, 0x25];

const latin1: Decode = (bytes) => bytes.toString('latin1');
const ucs2: Decode = (bytes) => new TextDecoder('utf-16be').decode(bytes);
const gsm7: Decode = (bytes, headers) => {
  const language = headers.find(([id = -1]) => LANGUAGES.includes(id))?.[2] ?? 0;
  return library.gsmCoder.decode(bytes, language);
};
const charset =
  (label: string): Decode =>
  (bytes) =>
    new TextDecoder(label).decode(bytes);

/** `data_coding` of SMPP 3.4, 5.2.19, that names an alphabet. 2, 4 and 9 are data. */
const CODINGS = new Map<number, Decode | null>([
  [1, latin1],
  [2, null],
  [3, latin1],
  [4, null],
  [5, charset('shift_jis')],
  [6, charset('iso-8859-5')],
  [7, charset('iso-8859-8')],
  [8, ucs2],
  [9, null],
  [10, charset('iso-2022-jp')],
  [13, null],
  [14, charset('euc-kr')],
]);

/**
 * Returns the text of a handset's message. Null for what is no text: bytes, a message for an
 * application's port, or a part of a longer text.
 */
export function messageTextOf(delivery: Delivery, alphabet: DefaultAlphabet): string | null {
  const { headers, body } = contentOf(delivery);
  const isForPort = headers.some(([id = -1]) => PORTS.includes(id));
  const isPart = headers.some(isOfSeveral) || isOneOfSeveral(delivery);
  const decode = decoderOf(delivery.dataCoding, alphabet);
  return isForPort || isPart || decode === null ? null : decode(body, headers) || null;
}

/** Texts of receipts are ASCII, regardless of `data_coding`, unless they are really UCS-2. */
export function receiptTextOf(delivery: Delivery): string {
  const { body } = contentOf(delivery);
  const [first, second, third] = body;
  if ((first === 0 && third === 0) || (first === 0xfe && second === 0xff)) return ucs2(body, []);
  const isLittleEndian = second === 0 || (first === 0xff && second === 0xfe);
  return isLittleEndian ? new TextDecoder('utf-16le').decode(body) : body.toString('latin1');
}

/**
 * Returns the decoder of a coding, or null for data. Beyond SMPP's own values it is the scheme of
 * 3GPP 23.038, section 4: there, class bits do not change the alphabet, and reserved values are the
 * default one.
 */
function decoderOf(coding: number, alphabet: DefaultAlphabet): Decode | null {
  const byDefault = alphabet === 'gsm' ? gsm7 : latin1;
  const named = CODINGS.get(coding);
  if (named !== undefined || coding < 0x10) return named === undefined ? byDefault : named;
  const group = coding >> 4;
  if (group === 0xe) return ucs2;
  if (group === 0xf) return (coding & 0x04) === 0 ? byDefault : null;
  if (group >= 0x8) return byDefault;
  const isCompressed = (coding & 0x20) !== 0;
  if (isCompressed) return null;
  return [byDefault, null, ucs2, byDefault][(coding >> 2) & 3]!;
}

function contentOf({ esmClass, content }: Delivery): { headers: Buffer[]; body: Buffer } {
  if ((esmClass & HAS_HEADERS) === 0) return { headers: [], body: content };
  const end = (content[0] ?? -1) + 1;
  const headers: Buffer[] = [];
  for (let at = 1; at + 2 <= Math.min(end, content.length); at += 2 + content[at + 1]!) {
    headers.push(content.subarray(at, Math.min(end, at + 2 + content[at + 1]!)));
  }
  return { headers, body: content.subarray(end) };
}

/** A text that fits in one message can have a header too: part 1 of 1. */
function isOfSeveral(header: Buffer): boolean {
  return PARTS.includes(header[0] ?? -1) && header.at(-2) !== 1;
}

function isOneOfSeveral({ options }: Delivery): boolean {
  return (options.get(TAG.sarTotalSegments)?.[0] ?? 1) > 1;
}
