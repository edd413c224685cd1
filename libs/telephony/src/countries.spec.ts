import { describe, expect, it } from '@jest/globals';
import { getCountries } from 'libphonenumber-js/max';
import { COUNTRIES } from './countries.js';
import countryNames from './data/country-names.json' with { type: 'json' };

describe('countries', () => {
  it('has a name for exactly the countries of the numbering metadata', () => {
    expect(Object.keys(countryNames).toSorted()).toEqual(getCountries().toSorted());
    expect(new Set(COUNTRIES.map((country) => country.name)).size).toBe(COUNTRIES.length);
  });
});
