import { ApiError, inputMessage, type InputProblem, type PriceList } from '@watchword/contracts';
import { checkCountry } from '@watchword/platform';

/** Checks what the schema cannot say about a price list. */
export function checkPriceList(list: PriceList): void {
  if (!/^[A-Z]{3}$/.test(list.credit_price.currency)) {
    refuse('credit_price.currency', 'currency');
  }
  for (const [countryCode, { networks }] of Object.entries(list.countries)) {
    const field = `countries.${countryCode}`;
    checkCountry(countryCode, field);
    networks.forEach(({ name, mcc_mnc: codes }, index) => {
      const at = `${field}.networks.${index}`;
      if (name.trim() === '') refuse(`${at}.name`, 'empty');
      if (codes.some((code) => !/^\d{5,6}$/.test(code))) {
        refuse(`${at}.mcc_mnc`, 'networkCodes');
      }
    });
  }
}

function refuse(field: string, problem: InputProblem): never {
  throw new ApiError('validation_error', { field, message: inputMessage(field, problem) });
}
