import { countSeptets, septetsOf } from './gsm7.js';

export type SmsEncoding = 'GSM-7' | 'UCS-2';

export interface SmsMeasure {
  encoding: SmsEncoding;
  /** Septets in GSM-7, UTF-16 code units in UCS-2. */
  units: number;
  /** Number of parts to bill. Not always units divided by the part size; see `cut`. */
  segments: number;
  /** Units used in each part. */
  parts: number[];
}

/** Units that fit: in a single message, and beside a six-byte concatenation header. */
const ROOM = {
  'GSM-7': { single: 160, part: 153 },
  'UCS-2': { single: 70, part: 67 },
} as const;

/** Measures a text as it stands. Normalise it to NFC first: a decomposed é is UCS-2. */
export function measureSegments(text: string): SmsMeasure {
  const septets = countSeptets(text);
  const encoding: SmsEncoding = septets >= 0 ? 'GSM-7' : 'UCS-2';
  const units = septets >= 0 ? septets : text.length;
  const parts = cut(text, encoding, units);
  return { encoding, units, segments: parts.length, parts };
}

/** Returns the units of each part of a text that is sent in this encoding. */
export function measureParts(text: string, encoding: SmsEncoding): number[] {
  return cut(text, encoding, encoding === 'GSM-7' ? countSeptets(text) : text.length);
}

/**
 * Returns the units of each part. Neither an escape pair nor a surrogate pair may straddle two
 * parts. So a part can end with an unused unit, and a text of 306 septets may need three parts.
 */
function cut(text: string, encoding: SmsEncoding, units: number): number[] {
  if (units === 0) return [];
  const capacity = ROOM[encoding];
  if (units <= capacity.single) return [units];
  const parts: number[] = [];
  let used = 0;
  let index = 0;
  while (index < text.length) {
    const length = lengthOfCharacter(text, index);
    const cost = encoding === 'GSM-7' ? septetsOf(text.charCodeAt(index)) : length;
    if (used + cost > capacity.part) {
      parts.push(used);
      used = 0;
    }
    used += cost;
    index += length;
  }
  parts.push(used);
  return parts;
}

/** Returns two for a surrogate pair, otherwise one. A lone surrogate counts as a character. */
function lengthOfCharacter(text: string, index: number): 1 | 2 {
  const isHigh = (text.charCodeAt(index) & 0xfc00) === 0xd800;
  return isHigh && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}
