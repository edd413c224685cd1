import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type Country, findCountry } from './countries.js';
import { lookUpNumber } from './numbering-plan.js';
import { writtenDigits } from './written-digits.js';

const E164 = /^\+[1-9]\d{7,14}$/;
const PUNCTUATION = /[()./]/g;
/** As links write a number (RFC 3966). */
const SCHEME = /^tel:/i;
/** A trunk prefix that is dialled in the country only: +44 (0)20. */
const OPTIONAL_TRUNK = /^((?:\+|00)\d{1,4})\(0\)/;

/**
 * Returns the number in E.164 as people write it: with separators, with `+` or `00`, in the national
 * form of a country, or with its dial code alone. Null for a text that is no number.
 */
export function internationalNumber(text: string, countryCode: string): string | null {
  const dialled = writtenDigits(text)
    .replace(SCHEME, '')
    .replace(/^\uff0b/, '+')
    .replace(OPTIONAL_TRUNK, '$1')
    .replaceAll(PUNCTUATION, '');
  const international = dialled.replace(/^00/, '+');
  if (!/^\+?\d+$/.test(international)) return null;
  const country = findCountry(countryCode);
  const spellings = [
    ...(international.startsWith('+') ? [international] : []),
    ...(country && !dialled.startsWith('+') ? nationalSpellings(dialled, country) : []),
    ...(/^[1-9]/.test(dialled) ? [`+${dialled}`] : []),
  ];
  const numbers = spellings.filter((each) => E164.test(each));
  const facts = numbers.map((number) => ({ number, facts: lookUpNumber(number) }));
  const valid = facts.find((each) => each.facts?.type !== undefined);
  const possible = facts.find((each) => each.facts !== null);
  return (valid ?? possible)?.number ?? numbers[0] ?? null;
}

/** The library knows each country's trunk prefix, also that a zero belongs to the number in some. */
function nationalSpellings(dialled: string, { countryCode, dialCode }: Country): string[] {
  const read = parsePhoneNumberFromString(dialled, countryCode as CountryCode);
  const plain = `+${dialCode}${dialled.replace(/^0/, '')}`;
  return read === undefined ? [plain] : [read.number, plain];
}
