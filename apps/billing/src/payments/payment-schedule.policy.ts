const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Milliseconds until a manual payment that nobody confirmed expires. It can still be confirmed. */
export const MANUAL_LIFE_MS = 7 * 24 * HOUR_MS;

/** Times after a payment's creation when the provider is asked about it. */
const ASKS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS];

/** Times after a declined charge when the next one is tried. */
const RETRIES_MS = [15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS];

/** Milliseconds until the next question to a provider that did not answer, or is still working. */
export const UNKNOWN_AGAIN_MS = MINUTE_MS;
export const PROCESSING_AGAIN_MS = 10 * MINUTE_MS;

/** Returns the time of the next question after `asked` questions. Null after the last one. */
export function nextAsk(createdAt: Date, asked: number): Date | null {
  const delay = ASKS_MS[asked];
  return delay === undefined ? null : new Date(createdAt.getTime() + delay);
}

/** Returns the time of the next charge after `attempts` declined ones. Null after the last one. */
export function nextCharge(declinedAt: number, attempts: number): Date | null {
  const delay = RETRIES_MS[attempts - 1];
  return delay === undefined ? null : new Date(declinedAt + delay);
}

/**
 * Returns the credits of a further reversal. Parts round up to whole credits, and all parts
 * together never exceed the purchase.
 */
export function reversedCredits(
  payment: { credits: number; amount: number; refundedAmount: number; reversedCredits: number },
  amount: number,
): { amount: number; credits: number } {
  const taken = Math.min(amount, payment.amount - payment.refundedAmount);
  const total = payment.refundedAmount + taken;
  if (payment.amount === 0)
    return { amount: 0, credits: payment.credits - payment.reversedCredits };
  const [credits, whole, part] = [payment.credits, payment.amount, total].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const reversed = Number((credits * part + whole - 1n) / whole);
  return { amount: taken, credits: reversed - payment.reversedCredits };
}
