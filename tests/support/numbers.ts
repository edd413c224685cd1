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
  // Of no other spec: rules of senders hold there.
  CM: ['+23767', 7],
  RW: ['+25078', 7],
  SN: ['+22177', 7],
  TZ: ['+25575', 7],
  UG: ['+25677', 7],
  // Of failover.spec.ts alone: carriers refuse numbers there, and are skipped there afterwards.
  BF: ['+22670', 6],
  ES: ['+346', 8],
  GN: ['+22462', 7],
  ML: ['+22376', 6],
  NL: ['+31612', 6],
  SL: ['+23276', 6],
  TG: ['+22890', 6],
  ZM: ['+26097', 7],
  // Of own-settings.spec.ts alone, where further carriers are preferred.
  BW: ['+26771', 6],
  FI: ['+35840', 7],
  LR: ['+23188', 7],
  MW: ['+26599', 7],
  MZ: ['+25884', 7],
  NA: ['+26481', 7],
  SE: ['+4670', 7],
  // Of ported-numbers.spec.ts alone: networks have rates there.
  'CI-moov': ['+22501', 8],
} as const;

export type NumberingPlan = keyof typeof plans;

/**
 * Plan for numbers that every carrier refuses. A carrier that refuses is skipped for that network
 * for ten minutes, so no other spec of the shared system asks which carrier took such a number.
 */
export const REFUSED_PLAN = 'GH-telecel';

/** More than the workers of Jest. Each has separate numbers. */
const SHARES = 4;
const NUMBERS_OF_A_SHARE = 2_000_000;
/** Has no divisor in common with the number above, so that it only mixes them. */
const MIXER = 617_371;
let lastTick = 0;

/**
 * Different from those of other files of the same half hour: thousands drawn at random would meet. One
 * number a millisecond, so a file that draws many at once is ahead of the clock for moments only, and the
 * next file of its worker, which knows nothing of it, begins later.
 */
function ownOrdinal(): number {
  lastTick = Math.max(lastTick + 1, Date.now());
  const mixed = ((lastTick % NUMBERS_OF_A_SHARE) * MIXER) % NUMBERS_OF_A_SHARE;
  return mixed * SHARES + (Number(process.env['JEST_WORKER_ID'] ?? 0) % SHARES);
}

/** A number that almost certainly no other test has: see above. Those of smaller plans are random. */
export function freshNumber(plan: NumberingPlan = 'NG'): string {
  const [prefix, digits] = plans[plan];
  const first = 2 * 10 ** (digits - 1);
  const ordinal = plan === 'NG' ? ownOrdinal() : randomInt(8 * 10 ** (digits - 1));
  return prefix + String(first + ordinal);
}

/** The reserved Nigerian number. Its last two digits select the outcome in test mode. */
export function magicNumber(digits: number): string {
  return `+23480300000${String(digits).padStart(2, '0')}`;
}
