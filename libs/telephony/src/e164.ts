import { isFictionalNumber } from './magic-numbers.js';
import { findNetwork } from './networks.js';
import type { Network } from './networks.js';
import { lookUpNumber } from './numbering-plan.js';
import type { NumberFacts, NumberType } from './numbering-plan.js';

export interface Destination {
  e164: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  dialCode: string;
  nationalNumber: string;
  /** The first six digits after the plus: the unit of the anti-pumping rules. */
  prefix: string;
  network: Network | null;
  /** Undefined for ranges newer than our metadata. */
  type: NumberType | undefined;
}

export type DestinationProblem =
  /** The text is not E.164. */
  | 'not_e164'
  /** No numbering plan has such a number. */
  | 'impossible'
  /** The number belongs to no country. */
  | 'no_country'
  /** A landline, or a kind of number that collects money. */
  | 'refused_type'
  /** A block known for artificially inflated traffic. */
  | 'blocked_range'
  /** Reserved for films and tests. Such a number never receives a message. */
  | 'fictional';

export type ParsedDestination =
  { ok: true; destination: Destination } | { ok: false; problem: DestinationProblem };

const E164 = /^\+[1-9]\d{7,14}$/;
const PREFIX_END = 7;

/** Satellite and international networks, which have premium services. */
const BLOCKED_NON_GEOGRAPHIC = new Set(['870', '878', '881', '882', '883', '979']);

/** United Kingdom, Latvia, Estonia, Belgium, Spain: personal, premium and shared-cost blocks. */
const BLOCKED_RANGE = /^\+(?:4470|3718[01]|37280|327[08]|34[89]0)/;

/** Types of numbers that collect money or reach no handset. */
const REFUSED_TYPES = new Set<NumberType>([
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'UAN',
  'PAGER',
  'VOICEMAIL',
  'TOLL_FREE',
]);

/**
 * Countries with a plan that does not separate mobile from fixed-line numbers, so FIXED_LINE is not
 * refused there. (In North America the type is FIXED_LINE_OR_MOBILE.) Argentine mobiles are written
 * with and without a 9, and without it like fixed lines.
 */
const UNTOLD_FIXED_LINES = new Set(['AR', 'CL', 'MX']);

/**
 * Parses a destination. Our own pattern comes first, because the library repairs bad input. A
 * "valid" number is not required, because new ranges are used before the metadata know them.
 */
export function parseDestination(
  raw: string,
  { testMode = false }: { testMode?: boolean } = {},
): ParsedDestination {
  if (!E164.test(raw)) return refused('not_e164');
  const facts = lookUpNumber(raw);
  if (facts === null) return refused('impossible');
  if (isFictionalNumber(raw)) {
    // The numbering plan knows no country for the British drama range.
    const countryCode = facts.countryCode ?? 'GB';
    return testMode ? accepted(raw, facts, countryCode, null) : refused('fictional');
  }
  if (BLOCKED_NON_GEOGRAPHIC.has(facts.dialCode)) return refused('blocked_range');
  if (facts.countryCode === undefined) return refused('no_country');
  if (isRefusedType(facts.type, facts.countryCode)) return refused('refused_type');
  if (BLOCKED_RANGE.test(raw)) return refused('blocked_range');
  const network = findNetwork(facts.dialCode, facts.nationalNumber);
  return accepted(raw, facts, facts.countryCode, network);
}

function isRefusedType(type: NumberType | undefined, countryCode: string): boolean {
  if (type === 'FIXED_LINE') return !UNTOLD_FIXED_LINES.has(countryCode);
  return type !== undefined && REFUSED_TYPES.has(type);
}

function accepted(
  e164: string,
  { dialCode, nationalNumber, type }: NumberFacts,
  countryCode: string,
  network: Network | null,
): ParsedDestination {
  return {
    ok: true,
    destination: {
      e164,
      countryCode,
      dialCode,
      nationalNumber,
      prefix: e164.slice(1, PREFIX_END),
      network,
      type,
    },
  };
}

function refused(problem: DestinationProblem): ParsedDestination {
  return { ok: false, problem };
}
