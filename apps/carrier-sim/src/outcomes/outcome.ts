/**
 * What a carrier does with one submitted message: its answer and its later delivery reports. Every
 * dialect renders the same plan in its own words.
 */
export const PROVIDERS = [
  'africas_talking',
  'twilio',
  'vonage',
  'infobip',
  'termii',
  'plivo',
  'smpp',
  // The do-not-disturb registry, which is no carrier: only scenarios name it.
  'dnd',
  // Email: to an address instead of a number.
  'smtp',
  'ses',
] as const;
export type Provider = (typeof PROVIDERS)[number];

/** A carrier's own code in its own form: `30005`, `UserDoesNotExist`. */
export type Code = string | number;

export const SUBMIT_KINDS = [
  'accept',
  'refuse',
  'http_status',
  'throttle',
  'hang',
  'reset',
  'garbage',
  'accept_then_lose_answer',
] as const;
export type SubmitKind = (typeof SUBMIT_KINDS)[number];

export interface Submit {
  readonly kind: SubmitKind;
  /** Code of a refusal. Default: the dialect's "no route". */
  readonly code?: Code;
  /** Number of the one part that a refusal is about, from 1: at Vonage and SMPP. Default: all. */
  readonly part?: number;
  /** Status of `http_status`. Default 503. */
  readonly status?: number;
  /** Delays the answer, never the acceptance: a receipt can overtake a slow answer. */
  readonly delayMs?: number;
  readonly retryAfterSeconds?: number;
}

/** `complained` is for email only. */
export const RECEIPT_OUTCOMES = ['delivered', 'failed', 'buffered', 'complained'] as const;

export interface Receipt {
  /** Milliseconds after the acceptance of the message. */
  readonly afterMs: number;
  readonly outcome: (typeof RECEIPT_OUTCOMES)[number];
  readonly code?: Code;
  /** Whether it is sent without the carrier's secret, as a forger would. */
  readonly forged?: boolean;
  /** Number of the part, from 1, at a carrier that reports each part of a long text by itself. */
  readonly part?: number;
  /**
   * Mobile country and network codes of a ported number, at a carrier that names the network.
   * Default: those of its prefix.
   */
  readonly network?: string;
}

/** Receipts due at the same time go out together, in any order. Steps follow one another. */
export interface ReceiptStep {
  readonly afterMs: number;
  readonly receipts: readonly Receipt[];
}

export interface Plan {
  readonly submit: Submit;
  /** By due time. */
  readonly receipts: readonly Receipt[];
  /** The same receipts in steps. */
  readonly steps: readonly ReceiptStep[];
  readonly reachesHandset: boolean;
}

export const ACCEPT: Submit = { kind: 'accept' };

export function makePlan(submit: Submit, receipts: readonly Receipt[]): Plan {
  const inOrder = receipts.toSorted((a, b) => a.afterMs - b.afterMs);
  const steps = new Map<number, Receipt[]>();
  for (const receipt of inOrder) {
    const together = steps.get(receipt.afterMs);
    if (together) together.push(receipt);
    else steps.set(receipt.afterMs, [receipt]);
  }
  return {
    submit,
    receipts: inOrder,
    steps: [...steps].map(([afterMs, together]) => ({ afterMs, receipts: together })),
    reachesHandset: reachesHandset(receipts),
  };
}

/**
 * Returns whether a handset shows the message: unless a real report says that it failed and none
 * that it was delivered. Without a final receipt the message arrived, and only the report is
 * missing.
 */
function reachesHandset(receipts: readonly Receipt[]): boolean {
  const finals = receipts.filter(({ outcome, forged }) => outcome !== 'buffered' && !forged);
  return finals.length === 0 || finals.some(({ outcome }) => outcome === 'delivered');
}
