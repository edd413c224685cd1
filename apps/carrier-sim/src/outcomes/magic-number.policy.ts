import { ACCEPT, makePlan } from './outcome.js';
import type { Code, Plan, Receipt, Submit } from './outcome.js';

/** A carrier's form of a failure: a refusal of the submit, or a failed receipt after acceptance. */
export type NativeCode = { readonly refuse: Code } | { readonly fail: Code };

/**
 * The carrier's codes for the last two digits 10 to 25, and 27 (the operator's account has a
 * problem).
 */
export type NativeCodes = Readonly<Record<number, NativeCode>>;

/** A carrier's role for a destination; see the store that assigns roles. */
export interface Role {
  /** 0 for the first carrier that saw the destination, 1 for the second, and so on. */
  readonly position: number;
  /** Returns true the first `times` times, then once false, then starts again. */
  throttle(times: number): boolean;
}

/** Ranges reserved for tests, one per market. The last two digits choose the outcome. */
const RESERVED = new RegExp(
  '^\\+(?:' +
    [
      '120255501', // United States
      '4477009000', // United Kingdom
      '23480300000', // Nigeria
      '2547120000', // Kenya
      '2332400000', // Ghana
      '278200000', // South Africa
      '22901970000', // Benin
      '22507000000', // Ivory Coast
    ].join('|') +
    ')(\\d\\d)$',
);

const SENDER_REFUSED = 15;
const ABSENT_SUBSCRIBER = 11;
const BAD_ACCOUNT = 27;

const UNAVAILABLE: Submit = { kind: 'http_status', status: 503 };
const THROTTLED: Submit = { kind: 'throttle', retryAfterSeconds: 1 };

export function magicDigits(to: string): number | undefined {
  const digits = RESERVED.exec(to)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Receipts of accepted numbers that differ in the later reports. */
const RECEIPTS: Readonly<Record<number, readonly Receipt[]>> = {
  0: [{ afterMs: 0, outcome: 'delivered' }],
  1: [{ afterMs: 5_000, outcome: 'delivered' }],
  2: [{ afterMs: 60_000, outcome: 'delivered' }],
  3: [],
  4: [
    { afterMs: 100, outcome: 'buffered' },
    { afterMs: 3_000, outcome: 'delivered' },
  ],
  5: [
    { afterMs: 50, outcome: 'delivered' },
    { afterMs: 50, outcome: 'delivered' },
  ],
  6: [{ afterMs: 0, outcome: 'delivered' }],
  7: [
    { afterMs: 50, outcome: 'delivered' },
    { afterMs: 200, outcome: 'failed' },
  ],
  8: [
    { afterMs: 50, outcome: 'failed' },
    { afterMs: 1_000, outcome: 'delivered' },
  ],
  // The forged receipt contradicts the truth, so a product that trusts it is found out.
  9: [
    { afterMs: 50, outcome: 'failed', forged: true },
    { afterMs: 200, outcome: 'delivered' },
  ],
};

/** Numbers with the same answer of every carrier to a submit. */
const SUBMITS: Readonly<Record<number, Submit>> = {
  // The answer waits until long after the receipt.
  6: { kind: 'accept', delayMs: 300 },
  28: UNAVAILABLE,
  29: { kind: 'hang' },
  39: THROTTLED,
};

/** Numbers that the first carrier refuses; later carriers accept them. */
function firstCarrierSubmit(digits: number, codes: NativeCodes, role: Role): Submit | undefined {
  switch (digits) {
    case 50:
      return UNAVAILABLE;
    case 51:
      return { kind: 'hang' };
    case 52:
      return { kind: 'accept_then_lose_answer' };
    case 53:
      return role.throttle(2) ? THROTTLED : ACCEPT;
    case 54:
      return nativeSubmit(codes[SENDER_REFUSED]);
    case 55:
      return nativeSubmit(codes[BAD_ACCOUNT]);
    case 59:
      return { kind: 'accept', delayMs: 8_000 };
    default:
      return undefined;
  }
}

/** Every carrier refuses, each with another reason. */
function mixedRefusal(codes: NativeCodes, { position }: Role): Submit {
  // Without a code: the carrier's word for a missing route.
  if (position === 0) return { kind: 'refuse' };
  return position === 1 ? nativeSubmit(codes[SENDER_REFUSED]) : UNAVAILABLE;
}

function nativeSubmit(native: NativeCode | undefined): Submit {
  return native && 'refuse' in native ? { kind: 'refuse', code: native.refuse } : ACCEPT;
}

function nativeReceipts(native: NativeCode | undefined): readonly Receipt[] | undefined {
  if (!native || !('fail' in native)) return undefined;
  return [{ afterMs: 50, outcome: 'failed', code: native.fail }];
}

/**
 * Returns the plan of a magic number, or undefined where the digits mean nothing to a carrier,
 * which then delivers. `announce` is what the dialect reports first for every message.
 */
export function magicPlan(
  digits: number,
  codes: NativeCodes,
  role: Role,
  announce: readonly Receipt[],
  delivered: Receipt,
): Plan | undefined {
  const submit = magicSubmit(digits, codes, role);
  const receipts = magicReceipts(digits, codes, role);
  if (!submit && !receipts) return undefined;
  const reports = receipts ?? [delivered];
  return makePlan(submit ?? ACCEPT, reports.length === 0 ? [] : [...announce, ...reports]);
}

function magicSubmit(digits: number, codes: NativeCodes, role: Role): Submit | undefined {
  if (digits === 38 || digits === 57) return mixedRefusal(codes, role);
  if (digits === 56) return role.position < 2 ? UNAVAILABLE : undefined;
  const native = codes[digits];
  if (native && 'refuse' in native) return nativeSubmit(native);
  if (role.position > 0) return SUBMITS[digits];
  return SUBMITS[digits] ?? firstCarrierSubmit(digits, codes, role);
}

function magicReceipts(
  digits: number,
  codes: NativeCodes,
  role: Role,
): readonly Receipt[] | undefined {
  if (digits === 58 && role.position === 0) return nativeReceipts(codes[ABSENT_SUBSCRIBER]);
  return RECEIPTS[digits] ?? nativeReceipts(codes[digits]);
}
