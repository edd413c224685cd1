import type { NativeCodes } from '../../outcomes/magic-number.policy.js';
import type { Code, Receipt } from '../../outcomes/outcome.js';

/** A country that is off in the account's geo permissions. */
const NO_ROUTE = 403;
const NO_CREDIT = 402;

/** Error of a failed report that names none: Plivo's "unknown error". */
const UNKNOWN_ERROR = 1000;

/** Errors of a delivered message. */
const NO_ERROR = '000';

/**
 * Codes by the last two digits of a magic number: a parameter or an HTTP status where Plivo refuses
 * the submit, else an error of the report. Plivo has no code of its own for a handset (12), a
 * barred subscriber (13), a Do Not Disturb registry (21) and a landline (22).
 */
export const PLIVO_NATIVE_CODES: NativeCodes = {
  10: { fail: 70 },
  11: { fail: 80 },
  12: { fail: 20 },
  13: { fail: 100 },
  14: { fail: 30 },
  15: { refuse: 'src' },
  16: { refuse: NO_ROUTE },
  17: { fail: 20 },
  18: { fail: 100 },
  19: { fail: 420 },
  20: { fail: 200 },
  21: { fail: 100 },
  22: { fail: 50 },
  23: { fail: 9999 },
  24: { fail: 450 },
  25: { refuse: 'dst' },
  27: { refuse: NO_CREDIT },
};

const TEXTS: Readonly<Record<number, string>> = {
  400: 'a parameter is missing or invalid',
  [NO_CREDIT]: 'insufficient credit',
  [NO_ROUTE]: 'the destination country is not enabled in the geo permissions of the account',
  404: 'not found',
  405: 'method not allowed',
};

export interface Refusal {
  readonly status: number;
  readonly error: string;
}

/** Returns a refusal by its HTTP status (`403`, `HTTP 403`) or by the parameter that is wrong. */
export function refusalOf(code: Code = NO_ROUTE): Refusal {
  const [, digits] = /^(?:HTTP )?([45]\d\d)$/.exec(String(code)) ?? [];
  if (digits === undefined) return invalid(String(code));
  return { status: Number(digits), error: TEXTS[Number(digits)] ?? `error ${digits}` };
}

export function invalid(parameter: string): Refusal {
  return { status: 400, error: `${parameter} parameter is invalid` };
}

export function missing(parameter: string): Refusal {
  return { status: 400, error: `${parameter} parameter not present` };
}

/** Errors for which Plivo itself stops a message. With the others, a carrier did. */
const OF_PLIVO = new Set<Code>([40, 50, 60, 90, 110, 200, 201, 300, 420, 450]);

export interface ReportedStatus {
  readonly status: 'sent' | 'delivered' | 'failed' | 'undelivered';
  readonly errorCode: string;
}

export function reportStatus({ outcome, code = UNKNOWN_ERROR }: Receipt): ReportedStatus {
  if (outcome === 'buffered') return { status: 'sent', errorCode: '' };
  if (outcome !== 'failed') return { status: 'delivered', errorCode: NO_ERROR };
  return { status: OF_PLIVO.has(code) ? 'failed' : 'undelivered', errorCode: String(code) };
}
