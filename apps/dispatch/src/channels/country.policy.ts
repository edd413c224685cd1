import { ApiError, inputMessage } from '@watchword/contracts';
import { findCountry } from '@watchword/telephony';

export function checkCountry(countryCode: string, field: string): void {
  if (findCountry(countryCode) !== null) return;
  const message = inputMessage(field, 'unknownCountry');
  throw new ApiError('validation_error', { field, message });
}
