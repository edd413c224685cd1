import { ApiError, inputMessage } from '@watchword/contracts';
import { type Country, findCountry } from '@watchword/telephony';

/** Returns the country, and refuses a code that no country has. */
export function checkCountry(countryCode: string, field: string): Country {
  const country = findCountry(countryCode);
  if (country !== null) return country;
  throw new ApiError('validation_error', { field, message: inputMessage(field, 'unknownCountry') });
}
