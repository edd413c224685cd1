/**
 * Rewrites characters of a transactional SMS that GSM-7 lacks and that have a plain equivalent,
 * because one curly quote would make the whole message UCS-2 and double its price. Characters of
 * GSM-7 (`£ $ ¥ € ¤` among them) stay, and so do accents: a rewritten word is a wrong word. Never
 * used on the text of an OTP. The smart-encoding list is Twilio's (npm sms-segments-calculator,
 * MIT).
 */
import smartEncoding from './data/smart-encoding.json' with { type: 'json' };
import { isGsm7, septetsOf } from './gsm7.js';

/** `off` only composes letters with their accents. */
export type RewriteMode = 'standard' | 'off';

export interface RewrittenText {
  /** May be empty when the text was only emoji. The caller must refuse that. */
  text: string;
  rewritten: boolean;
}

/** Codes come without a space before the digits, as in bank alerts: NGN5,000. */
// prettier-ignore
const CURRENCIES: Record<string, string> = {
  '₦': 'NGN', '₵': 'GHS', '₹': 'INR', '₽': 'RUB', '₺': 'TRY', '₴': 'UAH', '₫': 'VND',
  '₩': 'KRW', '₪': 'ILS', '₱': 'PHP', '₭': 'LAK', '₮': 'MNT', '₲': 'PYG', '₡': 'CRC',
  '₸': 'KZT', '₼': 'AZN', '₾': 'GEL', '₿': 'BTC', '₣': 'FRF', '₤': 'GBP', '₧': 'ESP',
  '₨': 'Rs', '₯': 'GRD', '₠': 'EUR', '฿': 'THB', '៛': 'KHR', '﷼': 'IRR', '৳': 'BDT',
  '¢': 'c', '￠': 'c', '￡': '£', '￥': '¥', '￦': 'KRW', '＄': '$', '﹩': '$',
};

/**
 * Additions and corrections to the smart-encoding list, such as a line separator as a line break.
 */
// prettier-ignore
const ADDITIONS: Record<string, string> = {
  '\u2032': "'", '\u2033': '"', '\u2011': '-', '\u2012': '-', '\u2212': '-',
  '\u2192': '->', '\u2190': '<-', '×': 'x', '°': ' deg', '©': '(c)', '®': '(R)', '™': 'TM',
  '№': 'No', 'œ': 'oe', 'Œ': 'OE', '\t': ' ', '\u2028': '\n', '\u2029': '\n',
};

const REPLACEMENTS = new Map(Object.entries({ ...smartEncoding, ...CURRENCIES, ...ADDITIONS }));

/**
 * Characters removed without a trace: soft hyphen, bidirectional marks, joiner, variation
 * selectors, the keycap that encloses a digit, the tags of regional flags, and currency signs
 * without a code above.
 */
const DROPPED = new RegExp(
  [
    '^[\\u00ad\\u061c\\u200d-\\u200f\\u202a-\\u202e\\u2066-\\u2069]$',
    '^[\\ufe00-\\ufe0f]$|^[\\u{e0000}-\\u{e01ef}]$|^\\u20e3$|^\\p{Sc}$',
  ].join('|'),
  'u',
);

/** Combining diacritics. The smart-encoding list would turn some of them into punctuation. */
const ACCENT = /^[\u0300-\u036f\u1dc0-\u1dff]$/;
const CARRIES_ACCENT = /^(?:(?!\p{Extended_Pictographic})\p{L}|[\u0300-\u036f\u1dc0-\u1dff])$/u;

const EMOJI_RUN = /(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier})+/u;

export function rewriteText(text: string, mode: RewriteMode = 'standard'): RewrittenText {
  if (isGsm7(text)) return { text, rewritten: false };
  const given = composed(text);
  if (mode === 'off') return { text: given, rewritten: given !== text };
  // A removal can put a letter beside its accent, so it is composed again.
  const result = composed(withoutEmoji(replaceCharacters(given)));
  return { text: result, rewritten: result !== text };
}

/**
 * Composes letters with their accents (NFC): the same letter as two characters costs more. A few letters, of
 * Devanagari for example, become longer by it, and then the text stays.
 */
export function composed(text: string): string {
  const normal = text.normalize('NFC');
  return normal.length <= text.length ? normal : text;
}

function replaceCharacters(text: string): string {
  let result = '';
  let last = '';
  for (const character of text) {
    const kept = replacementOf(character, last);
    if (kept === '') continue;
    result += kept;
    last = kept;
  }
  return result;
}

function replacementOf(character: string, previous: string): string {
  if (septetsOf(character.charCodeAt(0)) > 0) return character;
  if (ACCENT.test(character) && CARRIES_ACCENT.test(previous)) return character;
  const replacement = REPLACEMENTS.get(character);
  if (replacement !== undefined) return replacement;
  return DROPPED.test(character) ? '' : character;
}

/** Removes emoji. One between two spaces leaves one space; one at the start or end leaves none. */
function withoutEmoji(text: string): string {
  const [first = '', ...rest] = text.split(EMOJI_RUN);
  if (rest.length === 0) return text;
  const joined = rest.reduce(joinAcrossEmoji, first);
  return rest.at(-1)?.trim() === '' ? joined.trimEnd() : joined;
}

function joinAcrossEmoji(left: string, right: string): string {
  if (left.trim() === '') return right.trimStart();
  const spaceBefore = left.endsWith(' ') || left.endsWith('\n');
  return spaceBefore && right.startsWith(' ') ? left + right.slice(1) : left + right;
}
