import { COUNTRIES, type Country } from './countries.js';
import { lookUpNumber } from './numbering-plan.js';

const sharedCodes = new Set(
  COUNTRIES.map(({ dialCode }) => dialCode).filter(
    (code, index, codes) => codes.indexOf(code) !== index,
  ),
);

/**
 * Returns whether a number in E.164 belongs to the country. The dial code decides, or the numbering
 * plan where countries share it. A number that no plan can have may belong to any of them.
 */
export function isNumberOf({ countryCode, dialCode }: Country, e164: string): boolean {
  if (!e164.startsWith(dialCode, 1)) return false;
  if (!sharedCodes.has(dialCode)) return true;
  return (lookUpNumber(e164)?.countryCode ?? countryCode) === countryCode;
}
