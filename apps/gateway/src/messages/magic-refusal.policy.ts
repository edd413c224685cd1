import {
  ApiError,
  inputMessage,
  type ErrorText,
  type InputProblem,
  PHONE_CONTRACTS,
  type PhoneKind,
} from '@watchword/contracts';
import { magicNumber } from '@watchword/telephony';
import { type SendWords, VARIANT_A_WORDS } from '../inputs/send-words.policy.js';

/**
 * Destinations that a test key is refused at once. Some refuse an SMS only: an OTP to them is
 * accepted and fails later. The simulated carriers decide everything else about magic numbers.
 */
type Refusal = (kind: PhoneKind, words: SendWords) => ApiError | null;

const atOnce = (kind: PhoneKind, refusal: () => ApiError) =>
  PHONE_CONTRACTS[kind].refusesAtOnce ? refusal() : null;

const REFUSALS = new Map<number, Refusal>([
  [30, (kind, { number }) => atOnce(kind, () => new ApiError('dnd_blocked', { field: number }))],
  [
    31,
    (kind, { sender }) => atOnce(kind, () => new ApiError('sender_id_invalid', { field: sender })),
  ],
  [32, (kind, words) => invalidNumber(kind, 'cannotReceive', words)],
  [33, (_, { unpaid }) => new ApiError(unpaid)],
  [34, (_, { number }) => new ApiError('country_not_enabled', { field: number })],
  [35, (_, { number }) => new ApiError('prefix_blocked', { field: number })],
  [36, (_, { limited }) => new ApiError(limited, { retryAfterSeconds: 1 })],
  [37, () => new ApiError('internal_error')],
  // Variant A accepts it, and every carrier refuses it.
  [38, (_, { number }) => (number === 'to' ? new ApiError('upstream_error') : null)],
]);

export function magicRefusal(
  e164: string,
  kind: PhoneKind,
  words: SendWords = VARIANT_A_WORDS,
): ApiError | null {
  const outcome = magicNumber(e164);
  return outcome === null ? null : (REFUSALS.get(outcome)?.(kind, words) ?? null);
}

/** Returns the refusal, which has its own type on SMS routes only. */
export function invalidNumber(
  kind: PhoneKind,
  problem: InputProblem | ErrorText,
  { number: field }: SendWords = VARIANT_A_WORDS,
): ApiError {
  return new ApiError(PHONE_CONTRACTS[kind].invalidNumber, {
    field,
    message: inputMessage(field, problem),
  });
}
