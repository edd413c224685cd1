/**
 * Test-mode destinations whose last two digits choose the outcome. The US and GB ranges are
 * officially fictional. The others exist, and a live key treats them as ordinary numbers.
 */
const FICTIONAL = /^\+(?:120255501|4477009000)(\d\d)$/;
const RESERVED =
  /^\+(?:23480300000|2547120000|2332400000|278200000|22901970000|22507000000)(\d\d)$/;

/** Returns the two digits that choose the outcome, 0 to 99, or null for every other number. */
export function magicNumber(e164: string): number | null {
  const digits = FICTIONAL.exec(e164)?.[1] ?? RESERVED.exec(e164)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Returns whether the number is in one of the two ranges that never receive messages. */
export function isFictionalNumber(e164: string): boolean {
  return FICTIONAL.test(e164);
}
