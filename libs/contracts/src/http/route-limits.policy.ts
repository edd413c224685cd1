import type { ErrorType } from '../errors/error-catalogue.js';

/*
 * Which route has which limits, and in whose words: the public routes of variant A, those of variant B, and
 * those that belong to neither (the balance, the ledger, events, quotes, the list of one-time passwords).
 */
const VARIANT_A = /^\/v1\/(?:otp\/.*|sms\/(?!batch$)[^/]+|pricing)$/;
const VARIANT_B =
  /^\/v1\/(?:sms(?:\/batch)?$|(?:emails|sender-ids|sms-templates|webhooks|domains)(?:\/|$))/;
const COUNTS_STRANGERS = /^\/(?:v1|auth)\//;

export type LimitErrorType = Extract<ErrorType, 'rate_limited' | 'rate_limit_exceeded'>;

/** The word of a 429: what belongs to neither variant has variant B's. `path` as registered, or as it came. */
export function limitErrorType(path: string): LimitErrorType {
  return VARIANT_A.test(path) ? 'rate_limited' : 'rate_limit_exceeded';
}

/** Whether it has variant B's rate by the second besides. */
export function hasRateBySecond(path: string): boolean {
  return VARIANT_B.test(path);
}

/** Of the routes that anybody may call: whether those who have neither key nor session are counted. */
export function countsStrangers(path: string): boolean {
  return COUNTS_STRANGERS.test(path);
}
