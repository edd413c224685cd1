import type { ErrorType } from './error-catalogue.js';

export type LimitErrorType = Extract<ErrorType, 'rate_limited' | 'rate_limit_exceeded'>;

/**
 * Variant A's routes. What belongs to neither variant (the balance, the ledger, events, quotes, the
 * list of one-time passwords) has variant B's word.
 */
const VARIANT_A = /^\/v1\/(?:otp\/.*|sms\/(?!batch$)[^/]+|pricing)$/;

/** The word of a 429: the variants have one each. `path` as registered, or as it came. */
export function limitErrorType(path: string): LimitErrorType {
  return VARIANT_A.test(path) ? 'rate_limited' : 'rate_limit_exceeded';
}
