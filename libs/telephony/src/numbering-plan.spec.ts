import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { getCountryCallingCode } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { COUNTRIES } from './countries.js';
import { askLibrary, dialCodeOf, lookUpNumber } from './numbering-plan.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

/** Numbers near real ones: a mobile example of any country with its last digits changed. */
const nearMobile = fc
  .tuple(
    fc.constantFrom(...Object.entries(examples)),
    fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 10 }),
  )
  .map(([[countryCode, example], tail]) => {
    const dialCode = getCountryCallingCode(countryCode as keyof typeof examples);
    const head = example.slice(0, Math.max(0, example.length - tail.length));
    return `+${dialCode}${head}${tail}`.slice(0, 16);
  });

/** Any digits after an existing calling code. */
const anyNumber = fc
  .tuple(
    fc.constantFrom(...new Set(COUNTRIES.map((country) => country.dialCode)), '881', '800', '979'),
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 5, maxLength: 12 }),
  )
  .map(([dialCode, national]) => `+${dialCode}${national}`.slice(0, 16));

const priced = fc
  .tuple(
    fc.constantFrom('+234', '+254', '+27', '+233', '+44', '+225', '+229', '+1'),
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 8, maxLength: 11 }),
  )
  .map((parts) => parts.join(''));

describe('lookUpNumber', () => {
  it.each([
    ['numbers near mobile ones', nearMobile],
    ['any numbers', anyNumber],
    ['numbers of the priced markets', priced],
  ])('answers as the library does for %s', (_, numbers) => {
    fc.assert(
      fc.property(numbers, (e164) => {
        expect(lookUpNumber(e164)).toEqual(askLibrary(e164));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('dialCodeOf', () => {
  it('finds codes of one to three digits', () => {
    const numbers = ['+12025550123', '+447400123456', '+2348031234567', '+881612345678'];
    expect(numbers.map(dialCodeOf)).toEqual(['1', '44', '234', '881']);
    expect(dialCodeOf('+99912345678')).toBeUndefined();
  });
});
