import { ApiError, inputMessage, type InputProblem, type MessageKind } from '@watchword/contracts';
import { magicNumber } from '@watchword/telephony';

/**
 * Destinations that a test key is refused at once. Two of them concern an SMS only: an OTP to them
 * is accepted and fails later. Everything else about magic numbers is the simulated carriers'
 * business.
 */
const field = 'phone_number';

const REFUSALS: Record<number, (kind: MessageKind) => ApiError | null> = {
  30: (kind) => (kind === 'otp' ? null : new ApiError('dnd_blocked', { field })),
  31: (kind) => (kind === 'otp' ? null : new ApiError('sender_id_invalid', { field: 'sender_id' })),
  32: (kind) => invalidNumber(kind, 'cannotReceive'),
  33: () => new ApiError('insufficient_credits'),
  34: () => new ApiError('country_not_enabled', { field }),
  35: () => new ApiError('prefix_blocked', { field }),
  36: () => new ApiError('rate_limited', { retryAfterSeconds: 1 }),
  37: () => new ApiError('internal_error'),
};

export function magicRefusal(e164: string, kind: MessageKind): ApiError | null {
  const outcome = magicNumber(e164);
  return outcome === null ? null : (REFUSALS[outcome]?.(kind) ?? null);
}

/** The same refusal has a type of its own on SMS routes only. */
export function invalidNumber(kind: MessageKind, problem: InputProblem): ApiError {
  const type = kind === 'otp' ? 'validation_error' : 'phone_invalid';
  return new ApiError(type, { field, message: inputMessage(field, problem) });
}
