import type { Reason } from '@watchword/contracts';
import { magicNumber } from '@watchword/telephony';
import type { CarrierReport } from '../provider.port.js';

/** A receipt and its time after the submit. */
export interface ScriptedReceipt {
  readonly afterMs: number;
  readonly state: CarrierReport['state'];
  readonly reason: Reason | null;
  readonly rawCode: string | null;
}

export type ScriptedAnswer =
  | { readonly kind: 'accept' }
  | {
      readonly kind: 'refuse';
      readonly reason: Reason;
      readonly retryAfterMs?: number;
      /** Submits of one message that are refused before one is accepted. Absent means all. */
      readonly times?: number;
    };

/** What one simulated provider does with one message. */
export interface Script {
  readonly answer: ScriptedAnswer;
  /** Milliseconds until the answer. `NEVER` when it is lost. */
  readonly answerAfterMs: number;
  readonly receipts: readonly ScriptedReceipt[];
}

/** Number of the simulated provider. */
export type Position = 1 | 2 | 3;

const NEVER = Number.POSITIVE_INFINITY;

/** Milliseconds. Longer than any wait for a retry at the same provider. */
const THROTTLED_FOR_GOOD_MS = 60_000;

/** Milliseconds. Submits time out after a second, so this receipt comes after that. */
const AFTER_LOST_ANSWER_MS = 1_500;

const delivered = (afterMs = 0): ScriptedReceipt => receipt(afterMs, 'delivered');
const failed = (reason: Reason, rawCode: string = reason, afterMs = 0): ScriptedReceipt =>
  receipt(afterMs, 'failed', reason, rawCode);

const accepts = (...receipts: ScriptedReceipt[]): Script => ({
  answer: { kind: 'accept' },
  answerAfterMs: 0,
  receipts,
});
const refuses = (reason: Reason, retryAfterMs?: number): Script => ({
  answer: { kind: 'refuse', reason, retryAfterMs },
  answerAfterMs: 0,
  receipts: [],
});
const answersAfter = (answerAfterMs: number, ...receipts: ScriptedReceipt[]): Script => ({
  ...accepts(...receipts),
  answerAfterMs,
});

const DELIVERS = accepts(delivered());

/** Script of every number that is not magic. */
const ORDINARY = accepts(delivered(1_000));

/** Scripts that all three providers share, by the last two digits of the number. */
const SHARED: Readonly<Record<number, Script>> = {
  0: DELIVERS,
  1: accepts(delivered(5_000)),
  2: accepts(delivered(60_000)),
  3: accepts(),
  4: accepts(receipt(0, 'enroute'), delivered(3_000)),
  5: accepts(delivered(), delivered()),
  6: answersAfter(300, delivered()),
  7: accepts(delivered(), failed('network_error', 'network_error', 1_000)),
  8: accepts(failed('network_error'), delivered(1_000)),
  // A forged receipt can only come over HTTP, where the gateway rejects it.
  9: DELIVERS,
  10: accepts(failed('unknown_subscriber')),
  11: accepts(failed('absent_subscriber')),
  12: accepts(failed('handset_error')),
  13: accepts(failed('subscriber_barred')),
  14: accepts(failed('content_rejected')),
  15: refuses('sender_id_rejected'),
  16: refuses('no_route'),
  17: accepts(failed('network_error')),
  18: accepts(failed('carrier_rejected')),
  19: accepts(failed('expired')),
  20: refuses('opted_out'),
  21: accepts(failed('dnd_active')),
  22: refuses('unsupported_number'),
  23: accepts(failed('unknown_error', '9999')),
  24: accepts(failed('fraud_blocked')),
  25: refuses('invalid_number'),
  26: refuses('message_invalid'),
  27: refuses('provider_rejected'),
  28: refuses('provider_unavailable'),
  29: answersAfter(NEVER),
  // The gateway refuses SMS to these two. OTPs to them are submitted.
  30: accepts(failed('dnd_active')),
  31: refuses('sender_id_rejected'),
  39: refuses('throttled', THROTTLED_FOR_GOOD_MS),
};

/** Every provider refuses, each with another reason. */
const MIXED_REFUSALS: Readonly<Record<Position, Script>> = {
  1: refuses('no_route'),
  2: refuses('carrier_rejected'),
  3: refuses('network_error'),
};

/** Scripts that differ between the providers. A provider without an entry delivers. */
const DIFFERING: Readonly<Record<number, Partial<Record<Position, Script>>>> = {
  38: MIXED_REFUSALS,
  50: { 1: refuses('provider_unavailable') },
  51: { 1: answersAfter(NEVER) },
  52: { 1: answersAfter(NEVER, delivered(AFTER_LOST_ANSWER_MS)) },
  53: {
    1: {
      answer: { kind: 'refuse', reason: 'throttled', retryAfterMs: 1_000, times: 2 },
      answerAfterMs: 0,
      receipts: [delivered()],
    },
  },
  54: { 1: refuses('sender_id_rejected') },
  55: { 1: refuses('provider_rejected') },
  56: { 1: refuses('provider_unavailable'), 2: refuses('provider_unavailable') },
  57: MIXED_REFUSALS,
  58: { 1: accepts(failed('absent_subscriber')) },
  59: { 1: answersAfter(8_000, delivered(8_000)) },
};

/**
 * Returns the script of a number; it is never random. Digits that are decided elsewhere (gateway,
 * anti-spam, OTP) or mean nothing deliver at once, like 00.
 */
export function scriptFor(destination: string, position: Position): Script {
  const digits = magicNumber(destination);
  if (digits === null) return ORDINARY;
  return SHARED[digits] ?? DIFFERING[digits]?.[position] ?? DELIVERS;
}

function receipt(
  afterMs: number,
  state: ScriptedReceipt['state'],
  reason: Reason | null = null,
  rawCode: string | null = null,
): ScriptedReceipt {
  return { afterMs, state, reason, rawCode };
}
