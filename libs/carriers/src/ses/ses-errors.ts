import type { EmailOutcome } from '../email-provider.port.js';

/** `SendEmail` exceptions about the email itself. Another provider would get the same email. */
const OF_THE_EMAIL = new Set(['MessageRejected', 'BadRequestException', 'ValidationException']);

/** What SES says with a `MessageRejected` that is about the account: its identity, or its sandbox. */
const OF_THE_ACCOUNT = /^Email address is not verified/;

/** Exceptions about the account's rate or quota. It accepts emails again later. */
const OF_THE_RATE = new Set([
  'TooManyRequestsException',
  'ThrottlingException',
  'Throttling',
  'LimitExceededException',
]);

/**
 * Returns the outcome of an answer that is no success. `errorType` is the header
 * `x-amzn-ErrorType`.
 */
export function sesFailure(
  status: number,
  errorType: string | null,
  rawMessage: string | null,
): EmailOutcome {
  // "MessageRejected:http://internal.amazon.com/…"
  const type = /^\w{1,64}/.exec(errorType ?? '')?.[0] ?? '';
  const words = { rawCode: type || `HTTP ${status}`, rawMessage };
  // After an error inside SES, its earlier effects are unknown.
  if (status >= 500 && status !== 503) return { outcome: 'ambiguous', ...words };
  // Every other exception is about the account: suspended, unknown, over its rate or quota.
  if (OF_THE_EMAIL.has(type) && !OF_THE_ACCOUNT.test(rawMessage ?? ''))
    return { outcome: 'rejected', ...words };
  const temporary = status === 503 || status === 429 || OF_THE_RATE.has(type);
  return { outcome: 'refused', temporary, ...words };
}
