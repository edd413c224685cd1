import { randomInt } from 'node:crypto';

/** Ordinary mobile numbers: one network for each name, away from the reserved tails of test mode. */
const plans = {
  NG: ['+234803', 7],
  'NG-airtel': ['+234802', 7],
  'NG-glo': ['+234805', 7],
  KE: ['+254722', 6],
  'KE-airtel': ['+254733', 6],
  GH: ['+23324', 7],
  'GH-telecel': ['+23320', 7],
  ZA: ['+2782', 7],
  GB: ['+447400', 6],
  US: ['+1415', 7],
  CI: ['+22505', 8],
  BJ: ['+2290197', 6],
  IS: ['+354611', 4],
  NO: ['+4741', 6],
} as const;

export type NumberingPlan = keyof typeof plans;

/**
 * Plan for numbers that every carrier refuses. A carrier that refuses is skipped for that network
 * for ten minutes, so no other spec of the shared system asks which carrier took such a number.
 */
export const REFUSED_PLAN = 'GH-telecel';

/** A number that, as good as surely, no other test has. */
export function freshNumber(plan: NumberingPlan = 'NG'): string {
  const [prefix, digits] = plans[plan];
  const first = 10 ** (digits - 1);
  return prefix + String(randomInt(2 * first, 10 * first));
}

/** The reserved Nigerian number whose last two digits select the outcome in test mode. */
export function magicNumber(digits: number): string {
  return `+23480300000${String(digits).padStart(2, '0')}`;
}
