import { maskNumber } from '@watchword/telephony';

const RAW_MESSAGE_LENGTH_MAX = 200;
const RAW_CODE_LENGTH_MAX = 64;
const HIDDEN = '•••••';
const E164 = /\+[1-9]\d{6,14}(?!\d)/g;

/** Four digits and more, also when spaced out: numbers without plus, codes, account numbers. */
const DIGITS = /\d(?:[\s().-]{0,2}\d){3,}/g;

/**
 * A carrier's words, fit to be stored and shown. Carriers echo what they were sent, so `hidden`
 * texts (the body, credentials) are taken out, phone numbers masked, and other long numbers too.
 */
export function safeRawMessage(text: unknown, hidden: readonly string[]): string | null {
  if (typeof text !== 'string' || text === '') return null;
  const cleared = hidden.reduce(
    (cleaner, secret) => (secret === '' ? cleaner : cleaner.replaceAll(secret, HIDDEN)),
    text,
  );
  return cleared
    .replace(E164, (number) => maskNumber(number))
    .split(HIDDEN)
    .map((part) => part.replace(DIGITS, HIDDEN))
    .join(HIDDEN)
    .slice(0, RAW_MESSAGE_LENGTH_MAX);
}

/** A carrier's code as text; null for what cannot be one. */
export function rawCodeOf(code: unknown): string | null {
  if (typeof code === 'number') return String(code);
  if (typeof code !== 'string' || !/^[\w .-]+$/.test(code)) return null;
  return /\d{7}/.test(code) ? null : code.slice(0, RAW_CODE_LENGTH_MAX);
}
