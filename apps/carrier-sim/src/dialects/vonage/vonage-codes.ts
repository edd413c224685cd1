import type { NativeCodes } from '../../outcomes/magic-number.policy.js';
import type { Code, Receipt } from '../../outcomes/outcome.js';

export const NO_ROUTE_STATUS = 6;
export const BAD_CREDENTIALS_STATUS = 4;
export const THROTTLED_STATUS = 1;

/** `err-code` of a failed receipt that names none: Vonage's "general error". */
const GENERAL_ERROR = 99;

/** Codes by the last two digits of a magic number. */
export const VONAGE_NATIVE_CODES: NativeCodes = {
  10: { fail: 3 },
  11: { fail: 2 },
  12: { fail: 7 },
  13: { fail: 4 },
  14: { fail: 6 },
  15: { refuse: 15 },
  16: { refuse: NO_ROUTE_STATUS },
  17: { fail: 8 },
  18: { fail: 14 },
  19: { fail: 'expired' },
  20: { refuse: 7 },
  21: { fail: 53 },
  22: { refuse: 6 },
  23: { fail: 98 },
  24: { fail: 99 },
  25: { refuse: 3 },
  27: { refuse: 9 },
};

const ERROR_TEXTS: Readonly<Record<number, string>> = {
  1: 'Throughput Rate Exceeded - please wait [ 250 ] and retry',
  2: 'Missing {detail} param',
  3: 'Invalid value for parameter: {detail}',
  4: 'Bad Credentials',
  5: 'Internal Error',
  6: 'Unroutable message - rejected',
  7: 'Number barred',
  8: 'Partner account barred',
  9: 'Partner quota violation',
  10: 'Too many existing binds',
  11: 'Account not enabled for HTTP',
  12: 'Message too long',
  14: 'Invalid Signature',
  15: 'Illegal Sender Address - rejected',
  22: 'Invalid network code',
  23: 'Invalid callback URL',
  29: 'Non White-listed Destination - rejected',
  32: 'Signature and API secret disallowed',
  33: 'Number de-activated',
};

/** Returns Vonage's text for a status. `detail` is the parameter to blame. */
export function vonageErrorText(status: Code, detail: string): string {
  return (ERROR_TEXTS[Number(status)] ?? `Error ${status}`).replace('{detail}', detail);
}

/** Errors that Vonage reports as `rejected`: it never handed the message to a network. */
const REJECTED_ERRORS = new Set([6, 10, 11, 13, 14]);

const STATUSES = new Set<Code>(['accepted', 'expired', 'failed', 'rejected', 'unknown']);

/** Returns status and error of a receipt. A code is either an error or a status. */
export function receiptStatus({ outcome, code }: Receipt): { status: string; errorCode: string } {
  if (outcome === 'buffered') return { status: 'buffered', errorCode: '0' };
  if (outcome !== 'failed') return { status: 'delivered', errorCode: '0' };
  if (code !== undefined && STATUSES.has(code)) return { status: String(code), errorCode: '1' };
  const errorCode = String(code ?? GENERAL_ERROR);
  const status = REJECTED_ERRORS.has(Number(errorCode)) ? 'rejected' : 'failed';
  return { status, errorCode };
}
