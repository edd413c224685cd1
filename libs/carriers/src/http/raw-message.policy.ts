import { maskNumber } from '@watchword/telephony';

const RAW_MESSAGE_LENGTH_MAX = 200;
const RAW_CODE_LENGTH_MAX = 64;
const HIDDEN = '•••••';
const E164 = /\+[1-9]\d{6,14}(?!\d)/g;

/** Four or more digits, also with separators: numbers without plus, codes, account numbers. */
const DIGITS = /\d(?:[\s().-]{0,2}\d){3,}/g;

/**
 * Returns a carrier's text, safe to store and show. Carriers echo what they get, so `hidden` texts
 * (body, credentials) are removed, and phone numbers and other long numbers masked.
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

/** Returns a carrier's code as text, or null for a value that cannot be one. */
export function rawCodeOf(code: unknown): string | null {
  if (typeof code === 'number') return String(code);
  if (typeof code !== 'string' || !/^[\w .-]+$/.test(code)) return null;
  return /\d{7}/.test(code) ? null : code.slice(0, RAW_CODE_LENGTH_MAX);
}
