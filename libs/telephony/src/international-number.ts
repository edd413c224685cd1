import { findCountry } from './countries.js';
import { lookUpNumber } from './numbering-plan.js';

const E164 = /^\+[1-9]\d{7,14}$/;
/** What people put between digits. */
const SEPARATORS = /[\s().\-/\u00a0\u2010-\u2015]/g;

/**
 * Returns the number in E.164 as people write it: with separators, with `+` or `00`, in the national
 * form of a country, or with its dial code alone. Null for a text that is no number.
 */
export function internationalNumber(text: string, countryCode: string): string | null {
  const dialled = text.replaceAll(SEPARATORS, '').replace(/^00/, '+');
  if (dialled.startsWith('+')) return E164.test(dialled) ? dialled : null;
  if (!/^\d+$/.test(dialled)) return null;
  const dialCode = findCountry(countryCode)?.dialCode;
  const national = dialCode === undefined ? null : `+${dialCode}${dialled.replace(/^0/, '')}`;
  const spellings = dialled.startsWith('0') ? [national] : [`+${dialled}`, national];
  const numbers = spellings.filter((each) => each !== null).filter((each) => E164.test(each));
  return numbers.find((number) => lookUpNumber(number) !== null) ?? numbers[0] ?? null;
}
