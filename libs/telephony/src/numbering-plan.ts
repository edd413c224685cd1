/**
 * Looks a number up as libphonenumber does, but fast enough for the send path. The library compiles
 * its patterns for every call and asks up to 25 countries (5 to 20 µs a number). Most numbers are
 * mobile ones of the main country of their calling code; for these, four patterns compiled once
 * give the answer. The library handles every other number, and a property test holds both ways to
 * the same answers.
 */
import { Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { PhoneNumberType } from 'libphonenumber-js/max';

export type NumberType = PhoneNumberType;

export interface NumberFacts {
  dialCode: string;
  nationalNumber: string;
  /**
   * Undefined for non-geographic codes. A range that no country of a shared code claims is the main
   * country's: new codes of North America are in use before the metadata know them.
   */
  countryCode: string | undefined;
  /** Undefined for ranges newer than the metadata, which is no reason to refuse a number. */
  type: NumberType | undefined;
}

/** Returns the facts of a strictly written E.164 number, or null when it cannot exist. */
export function lookUpNumber(e164: string): NumberFacts | null {
  return lookUpCommonNumber(e164) ?? askLibrary(e164);
}

/** The slow way, correct for every number. */
export function askLibrary(e164: string): NumberFacts | null {
  const parsed = parsePhoneNumberFromString(e164);
  // The library repairs its input (it drops a trunk zero). A repaired number is refused.
  if (parsed === undefined || parsed.number !== e164 || !parsed.isPossible()) return null;
  return {
    dialCode: parsed.countryCallingCode,
    nationalNumber: parsed.nationalNumber,
    countryCode: parsed.country ?? mainCountryOf(parsed.countryCallingCode),
    type: parsed.getType(),
  };
}

/** Returns the country that the metadata name first for a calling code, such as the US for 1. */
function mainCountryOf(dialCode: string): string | undefined {
  const countryCode = reader.getCountryCodeForCallingCode(dialCode);
  return countryCode === NON_GEOGRAPHIC ? undefined : countryCode;
}

/** Returns the calling code of an E.164 number. No code is the beginning of another one. */
export function dialCodeOf(e164: string): string | undefined {
  for (let end = 2; end <= 4; end += 1) {
    const dialCode = e164.slice(1, end);
    if (isDialCode(dialCode)) return dialCode;
  }
  return undefined;
}

/** The parts of a numbering plan, as the library's Metadata class reads them. */
interface PlanMetadata {
  nationalNumberPattern(): string;
  possibleLengths(): number[];
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(name: string): { pattern(): string; possibleLengths(): number[] } | undefined;
}

interface MetadataReader {
  hasCallingCode(dialCode: string): boolean | undefined;
  getCountryCodeForCallingCode(dialCode: string): string | undefined;
  selectNumberingPlan(countryCode: string): { numberingPlan: PlanMetadata };
}

/** The metadata's country of satellites and international services. */
const NON_GEOGRAPHIC = '001';

const reader = new Metadata() as unknown as MetadataReader;

interface TypeMatcher {
  lengths: number[];
  pattern: RegExp;
}

/** The main country of a calling code, its patterns compiled. */
interface MainPlan {
  dialCode: string;
  countryCode: string;
  lengths: number[];
  anyNumber: RegExp;
  /** Digits that the library may take for a trunk prefix. It handles such numbers itself. */
  trunkPrefix: RegExp | null;
  fixedLine: TypeMatcher | null;
  mobile: TypeMatcher | null;
  /** Whether numbers do not show which of the two they are, as in North America. */
  fixedLineMayBeMobile: boolean;
}

/** Bounded by the 220 or so calling codes. Null where the fast way would be wrong. */
const mainPlans = new Map<string, MainPlan | null>();
const dialCodes = new Map<string, boolean>();

function isDialCode(digits: string): boolean {
  const known = dialCodes.get(digits);
  if (known !== undefined) return known;
  const found = reader.hasCallingCode(digits) === true;
  // Keys have one to three digits, so there are at most 1110.
  dialCodes.set(digits, found);
  return found;
}

function lookUpCommonNumber(e164: string): NumberFacts | null {
  const dialCode = dialCodeOf(e164);
  if (dialCode === undefined) return null;
  const plan = mainPlanOf(dialCode);
  if (plan === null) return null;
  const nationalNumber = e164.slice(1 + dialCode.length);
  if (!plan.lengths.includes(nationalNumber.length)) return null;
  if (plan.trunkPrefix?.test(nationalNumber)) return null;
  if (!plan.anyNumber.test(nationalNumber)) return null;
  const type = commonTypeOf(plan, nationalNumber);
  if (type === null) return null;
  return { dialCode, nationalNumber, countryCode: plan.countryCode, type };
}

function commonTypeOf(plan: MainPlan, nationalNumber: string): NumberType | null {
  if (matches(plan.fixedLine, nationalNumber)) {
    const mayBeMobile = plan.fixedLineMayBeMobile || matches(plan.mobile, nationalNumber);
    return mayBeMobile ? 'FIXED_LINE_OR_MOBILE' : 'FIXED_LINE';
  }
  return matches(plan.mobile, nationalNumber) ? 'MOBILE' : null;
}

function matches(matcher: TypeMatcher | null, nationalNumber: string): boolean {
  if (matcher === null || !matcher.lengths.includes(nationalNumber.length)) return false;
  return matcher.pattern.test(nationalNumber);
}

function mainPlanOf(dialCode: string): MainPlan | null {
  const known = mainPlans.get(dialCode);
  if (known !== undefined) return known;
  const plan = compileMainPlan(dialCode);
  mainPlans.set(dialCode, plan);
  return plan;
}

function compileMainPlan(dialCode: string): MainPlan | null {
  const countryCode = reader.getCountryCodeForCallingCode(dialCode);
  if (countryCode === undefined) return null;
  const plan = reader.selectNumberingPlan(countryCode).numberingPlan;
  // Where leading digits choose among countries, the type patterns do not decide.
  if (plan.leadingDigits()) return null;
  const trunkPrefix = plan.nationalPrefixForParsing();
  return {
    dialCode,
    countryCode,
    lengths: plan.possibleLengths(),
    anyNumber: entirely(plan.nationalNumberPattern()),
    trunkPrefix: trunkPrefix ? new RegExp(`^(?:${trunkPrefix})`) : null,
    fixedLine: compileType(plan, 'FIXED_LINE'),
    mobile: compileType(plan, 'MOBILE'),
    // The metadata leave out a mobile pattern that equals that of fixed lines.
    fixedLineMayBeMobile: !plan.type('MOBILE')?.pattern(),
  };
}

function compileType(plan: PlanMetadata, name: NumberType): TypeMatcher | null {
  const type = plan.type(name);
  const pattern = type?.pattern();
  return type && pattern ? { lengths: type.possibleLengths(), pattern: entirely(pattern) } : null;
}

function entirely(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
