import { ApiError, type PriceList } from '@watchword/contracts';
import { findCountry } from '@watchword/telephony';

/** Checks what the schema cannot say about a price list. */
export function checkPriceList(list: PriceList): void {
  if (!/^[A-Z]{3}$/.test(list.credit_price.currency)) {
    refuse('credit_price.currency', 'must be three capital letters');
  }
  for (const [countryCode, { networks }] of Object.entries(list.countries)) {
    const field = `countries.${countryCode}`;
    if (findCountry(countryCode) === null) refuse(field, 'names an unknown country');
    networks.forEach(({ name, mcc_mnc: codes }, index) => {
      const at = `${field}.networks.${index}`;
      if (name.trim() === '') refuse(`${at}.name`, 'must not be empty');
      if (codes.some((code) => !/^\d{5,6}$/.test(code))) {
        refuse(`${at}.mcc_mnc`, 'must have codes of five or six digits');
      }
    });
  }
}

function refuse(field: string, problem: string): never {
  throw new ApiError('validation_error', { field, message: `${field} ${problem}.` });
}
