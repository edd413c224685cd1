import { findCountry } from './countries.js';
import { lookUpNumber } from './numbering-plan.js';
import { writtenDigits } from './written-digits.js';

const E164 = /^\+[1-9]\d{7,14}$/;
const PUNCTUATION = /[()./]/g;
/** A trunk prefix that is dialled in the country only: +44 (0)20. */
const OPTIONAL_TRUNK = /^((?:\+|00)\d{1,4})\(0\)/;

/**
 * Returns the number in E.164 as people write it: with separators, with `+` or `00`, in the national
 * form of a country, or with its dial code alone. Null for a text that is no number.
 */
export function internationalNumber(text: string, countryCode: string): string | null {
  const dialled = writtenDigits(text)
    .replace(/^\uff0b/, '+')
    .replace(OPTIONAL_TRUNK, '$1')
    .replaceAll(PUNCTUATION, '')
    .replace(/^00/, '+');
  if (dialled.startsWith('+')) return E164.test(dialled) ? dialled : null;
  if (!/^\d+$/.test(dialled)) return null;
  const dialCode = findCountry(countryCode)?.dialCode;
  const national = dialCode === undefined ? null : `+${dialCode}${dialled.replace(/^0/, '')}`;
  const spellings = dialled.startsWith('0') ? [national] : [`+${dialled}`, national];
  const numbers = spellings.filter((each) => each !== null).filter((each) => E164.test(each));
  return numbers.find((number) => lookUpNumber(number) !== null) ?? numbers[0] ?? null;
}
