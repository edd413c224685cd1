import { COUNTRIES, type Country } from './countries.js';
import { lookUpNumber } from './numbering-plan.js';

const sharedCodes = new Set(
  COUNTRIES.map(({ dialCode }) => dialCode).filter(
    (code, index, codes) => codes.indexOf(code) !== index,
  ),
);

/**
 * Whether a number in E.164 is the country's. The dial code decides, unless countries share it: then
 * the numbering plan does. A range that no plan has yet may be any of theirs.
 */
export function isNumberOf({ countryCode, dialCode }: Country, e164: string): boolean {
  if (!e164.startsWith(dialCode, 1)) return false;
  if (!sharedCodes.has(dialCode)) return true;
  return (lookUpNumber(e164)?.countryCode ?? countryCode) === countryCode;
}
