/**
 * Amounts between ISO 4217, in which payments are stored, and Stripe, which counts some currencies otherwise
 * (docs.stripe.com/currencies, "Special cases" and "Three-decimal currencies").
 */
/** Units of Stripe in the smallest unit of ISO 4217. */
const UNITS: ReadonlyMap<string, number> = new Map([
  // Without decimals, counted in hundredths as in former days.
  ['ISK', 100],
  ['UGX', 100],
  // Two decimals in ISO 4217, none at Stripe.
  ['MGA', 1 / 100],
]);
/** Of these Stripe takes only amounts whose last digit is 0. */
const THREE_DECIMALS: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** Returns what Stripe is to charge; null for an amount that it cannot charge exactly. */
export function stripeAmount(amount: number, currency: string): number | null {
  const units = UNITS.get(currency) ?? 1;
  const charged = units < 1 ? amount / Math.round(1 / units) : amount * units;
  const isTaken = Number.isSafeInteger(charged) && !(THREE_DECIMALS.has(currency) && charged % 10);
  return isTaken ? charged : null;
}

/** Returns what Stripe reports, in the smallest unit of ISO 4217. */
export function amountFromStripe(charged: number, currency: string): number {
  const units = UNITS.get(currency.toUpperCase()) ?? 1;
  return units < 1 ? charged * Math.round(1 / units) : Math.floor(charged / units);
}
