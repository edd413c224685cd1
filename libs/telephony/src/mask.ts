import { dialCodeOf } from './numbering-plan.js';

const BULLETS = '•••••';
const ERASED = new RegExp(`^\\+\\d{0,3}${BULLETS}$`);

/** Digits that always stay hidden, so that a short number is not revealed. */
const HIDDEN_MIN = 5;
const TAIL = 3;

/**
 * Masks a number for logs and error texts: `+2348031234567` becomes `+234•••••567`. An erased number
 * shows no more than its country, and stays as it is.
 */
export function maskNumber(e164: string): string {
  if (ERASED.test(e164)) return e164;
  if (!/^\+[1-9]\d{7,14}$/.test(e164)) return BULLETS;
  const dialCode = dialCodeOf(e164) ?? '';
  const tail = Math.min(TAIL, Math.max(0, e164.length - 1 - dialCode.length - HIDDEN_MIN));
  return `+${dialCode}${BULLETS}${e164.slice(e164.length - tail)}`;
}

/** Replaces a number that is erased: only the dial code of its country is left, as `+234•••••`. */
export function erasedNumber(e164: string): string {
  return `+${dialCodeOf(e164) ?? ''}${BULLETS}`;
}
