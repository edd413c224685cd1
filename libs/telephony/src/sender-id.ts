import { isGsm7 } from './gsm7.js';
import { rewriteText } from './rewrite.js';

const SENDER_ID = /^(?=.*[A-Za-z])[A-Za-z0-9 .&_-]{1,11}$/;

/**
 * Returns whether the value has 1 to 11 letters, digits, spaces and `. & _ -`, with at least one
 * letter (otherwise it is a number).
 */
export function isSenderId(value: string): boolean {
  return SENDER_ID.test(value);
}

const BRAND_FALLBACK = 'Watchword';
const MARKS = /\p{M}/gu;

/** Letters of West African and European alphabets that no normal form decomposes. */
// prettier-ignore
const BASE_LETTERS: Record<string, string> = {
  Ɓ: 'B', ɓ: 'b', Ɗ: 'D', ɗ: 'd', Ƙ: 'K', ƙ: 'k', Ƴ: 'Y', ƴ: 'y', Ɛ: 'E', ɛ: 'e', Ɔ: 'O',
  ɔ: 'o', Ŋ: 'N', ŋ: 'n', Ɖ: 'D', ɖ: 'd', Ƒ: 'F', ƒ: 'f', Ɣ: 'G', ɣ: 'g', Ʋ: 'V', ʋ: 'v',
  Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i', Ð: 'D', ð: 'd', Þ: 'Th', þ: 'th',
};

/**
 * Returns a brand name in GSM-7 for the text of an OTP. Accents are dropped only where GSM-7 lacks
 * the letter (`Café` stays, `Garçon` becomes `Garcon`). Characters without a plain form are
 * dropped.
 */
export function foldBrand(name: string, maxLength: number): string {
  const plain = rewriteText(name.normalize('NFC')).text;
  const folded = Array.from(plain, foldCharacter).join('').replace(/\s+/g, ' ').trim();
  return folded.slice(0, maxLength).trimEnd() || BRAND_FALLBACK.slice(0, maxLength);
}

function foldCharacter(character: string): string {
  if (isGsm7(character)) return character;
  const base = BASE_LETTERS[character] ?? character.normalize('NFKD').replace(MARKS, '');
  return Array.from(base).filter(isGsm7).join('');
}
