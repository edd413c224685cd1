/** A number with its plus sign. */
export const E164 = /^\+[1-9]\d{6,14}$/;

/** Returns the number as carriers take it. A sender of other characters stays as it is. */
export function withoutPlus(number: string): string {
  return number.replace(/^\+(?=\d+$)/, '');
}

/**
 * Returns a carrier's number in E.164, or null for anything else, such as a short code. Carriers
 * leave the plus sign out, and in a form it can arrive as a blank.
 */
export function e164Of(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const number = String(value)
    .trim()
    .replace(/^(?=[1-9])/, '+');
  return E164.test(number) ? number : null;
}
