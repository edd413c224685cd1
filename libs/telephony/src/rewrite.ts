/**
 * Rewrites characters of a transactional SMS that GSM-7 lacks and that have a plain equivalent,
 * because one curly quote would make the whole message UCS-2 and double its price. Currency signs,
 * curly quotes and emoji go always; others only where the whole text fits GSM-7 without them, so
 * that a text which stays UCS-2 is not changed for nothing. Characters of
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

/** What is written before a sign beside the beginning of its code: GH₵50, Rs₹50, Tk৳50. */
const ABBREVIATIONS: Record<string, readonly string[]> = {
  '₵': ['GHC'],
  '₹': ['RS'],
  '৳': ['TK'],
};
const CURRENCY_SIGN = /(?:(?<!\p{L})(\p{L}{1,3})( ?))?(\p{Sc})/gu;
/** French: n°4521. */
const NUMERO = /(?<![\p{L}\p{N}])[nN][°º](?=\s?\d)/gu;
const FRACTION = /^[0-9]\/[0-9]$/;
const CURLY_QUOTE = /[\u2018-\u201f]/g;
const KEYCAP = /([0-9#*])\ufe0f?\u20e3/g;

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

/** Emoji that the list above has a text for, such as ™. */
const WITH_TEXT = [...REPLACEMENTS.keys()].filter((one) =>
  /^\p{Extended_Pictographic}$/u.test(one),
);

/** Emoji, with their selectors, tags and joiners. */
const EMOJI_RUN = new RegExp(
  `(?:(?![${WITH_TEXT.join('')}])[\\p{Extended_Pictographic}\\p{Regional_Indicator}\\p{Emoji_Modifier}]` +
    '[\\ufe0e\\ufe0f\\u20e3\\u{e0020}-\\u{e007f}]*\\u200d?)+',
  'u',
);

export function rewriteText(text: string, mode: RewriteMode = 'standard'): RewrittenText {
  if (isGsm7(text)) return { text, rewritten: false };
  const given = composed(text);
  const result = mode === 'off' ? given : standardOf(given);
  return { text: result, rewritten: result !== text };
}

function standardOf(given: string): string {
  const plainSigns = withoutSigns(given);
  const plain = withoutEmojiComposed(replaceCharacters(plainSigns));
  return isGsm7(plain) ? plain : withoutEmojiComposed(plainSigns);
}

/** A removal can put a letter beside its accent, so it is composed again. */
function withoutEmojiComposed(text: string): string {
  return composed(withoutEmoji(text));
}

/** Rewrites what is always rewritten, except emoji. */
function withoutSigns(text: string): string {
  return text
    .replace(CURRENCY_SIGN, (_whole, letters = '', space = '', sign: string) =>
      withCode(letters, space, sign),
    )
    .replace(NUMERO, 'No')
    .replace(CURLY_QUOTE, (quote) => REPLACEMENTS.get(quote) ?? quote)
    .replace(KEYCAP, '$1');
}

/** Letters before the sign that say the same are not doubled: GH₵ and GHS ₵. */
function withCode(letters: string, space: string, sign: string): string {
  const before = letters + space;
  if (septetsOf(sign.charCodeAt(0)) > 0) return before + sign;
  const code = CURRENCIES[sign] ?? '';
  const [said, whole] = [letters.toUpperCase(), code.toUpperCase()];
  if (said === '' || code === '') return before + code;
  if (said === whole) return before;
  const isPart = whole.startsWith(said) || (ABBREVIATIONS[sign]?.includes(said) ?? false);
  return isPart && space === '' ? code : before + code;
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
  // 1½ is 1 1/2, not eleven halves.
  if (replacement !== undefined && FRACTION.test(replacement) && /[0-9]$/.test(previous)) {
    return ` ${replacement}`;
  }
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
