import { describe, expect, it } from '@jest/globals';
import { getCountries } from 'libphonenumber-js/max';
import { COUNTRIES, findCountry } from './countries.js';
import countryNames from './data/country-names.json' with { type: 'json' };

describe('countries', () => {
  it('has a name for exactly the countries of the numbering metadata', () => {
    expect(Object.keys(countryNames).toSorted()).toEqual(getCountries().toSorted());
    expect(new Set(COUNTRIES.map((country) => country.name)).size).toBe(COUNTRIES.length);
  });

  it('finds the priced markets', () => {
    const markets = ['NG', 'KE', 'ZA', 'GH', 'GB', 'CI', 'BJ', 'US'];
    const found = markets.map((countryCode) => findCountry(countryCode));
    expect(found.map((country) => `${country?.name} +${country?.dialCode}`)).toEqual([
      'Nigeria +234',
      'Kenya +254',
      'South Africa +27',
      'Ghana +233',
      'United Kingdom +44',
      'Ivory Coast +225',
      'Benin +229',
      'United States +1',
    ]);
    expect(findCountry('ZZ')).toBeNull();
  });
});
