import type { NativeCodes } from '../../outcomes/magic-number.policy.js';
import type { Code, Receipt } from '../../outcomes/outcome.js';

/** Termii has no codes: its words are all there is. */
const NO_ROUTE = 'You are not set up on this route';
const INVALID_SENDER = 'Invalid Sender Id';
const NO_BALANCE = 'Insufficient balance';

export const INVALID_PHONE = 'Invalid phone number';
export const NO_DEVICE = 'Device not found';
export const BAD_KEY = 'Unauthorized';

/** HTTP statuses of refusals. The others are 400. */
const STATUSES: Readonly<Record<string, number>> = {
  [BAD_KEY]: 401,
  'Your account is not active': 403,
  [INVALID_SENDER]: 404,
  [NO_DEVICE]: 404,
  [INVALID_PHONE]: 422,
  'Your device has reached the daily limit': 429,
};

const MESSAGE_FAILED = { fail: 'Message Failed' };

/**
 * Words by the last two digits of a magic number. Termii has one word for most failures, and none
 * for an opt-out, which it delivers.
 */
export const TERMII_NATIVE_CODES: NativeCodes = {
  10: MESSAGE_FAILED,
  11: MESSAGE_FAILED,
  12: MESSAGE_FAILED,
  13: MESSAGE_FAILED,
  14: MESSAGE_FAILED,
  15: { refuse: INVALID_SENDER },
  16: { refuse: NO_ROUTE },
  17: MESSAGE_FAILED,
  18: MESSAGE_FAILED,
  19: { fail: 'Expired' },
  21: { fail: 'DND Active on Phone Number' },
  22: { refuse: INVALID_PHONE },
  23: { fail: 'Foo' },
  24: MESSAGE_FAILED,
  25: { refuse: INVALID_PHONE },
  27: { refuse: NO_BALANCE },
};

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Returns a refusal by its words. `HTTP 405` is one by its status. */
export function refusalOf(code: Code = NO_ROUTE): Refusal {
  const message = String(code);
  const [, status] = /^HTTP (\d{3})$/.exec(message) ?? [];
  return { status: Number(status ?? STATUSES[message] ?? 400), message };
}

export function invalidSender(): Refusal {
  return refusalOf(INVALID_SENDER);
}

export function reportStatus({ outcome, code }: Receipt): string {
  if (outcome === 'buffered') return 'Message Sent';
  return outcome === 'failed' ? String(code ?? MESSAGE_FAILED.fail) : 'DELIVERED';
}
