import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import countryNames from './data/country-names.json' with { type: 'json' };

export interface Country {
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  name: string;
  /** Digits without plus. About 25 countries share `1`, so a price depends on the country alone. */
  dialCode: string;
}

const names = new Map(Object.entries(countryNames));

/** Every country that has telephone numbers, by English name. */
export const COUNTRIES: readonly Country[] = getCountries()
  .map((countryCode) => ({
    countryCode,
    name: names.get(countryCode) ?? countryCode,
    dialCode: getCountryCallingCode(countryCode),
  }))
  .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));

const byCode = new Map(COUNTRIES.map((country) => [country.countryCode, country]));

export function findCountry(countryCode: string): Country | null {
  return byCode.get(countryCode) ?? null;
}
