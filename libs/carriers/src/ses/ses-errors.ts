import type { EmailOutcome } from '../email-provider.port.js';

/** Exceptions of `SendEmail` about the email itself: another provider would be shown the same. */
const OF_THE_EMAIL = new Set(['MessageRejected', 'BadRequestException', 'ValidationException']);

/** About the rate or the quota of the account: it takes emails again later. */
const OF_THE_RATE = new Set([
  'TooManyRequestsException',
  'ThrottlingException',
  'Throttling',
  'LimitExceededException',
]);

/** What an answer that is no success means. `errorType` is the header `x-amzn-ErrorType`. */
export function sesFailure(
  status: number,
  errorType: string | null,
  rawMessage: string | null,
): EmailOutcome {
  // "MessageRejected:http://internal.amazon.com/…"
  const type = /^\w{1,64}/.exec(errorType ?? '')?.[0] ?? '';
  const words = { rawCode: type || `HTTP ${status}`, rawMessage };
  // An error inside SES says nothing of what it did before.
  if (status >= 500 && status !== 503) return { outcome: 'ambiguous', ...words };
  // All others are about the account: suspended, unknown, over its rate or quota.
  if (OF_THE_EMAIL.has(type)) return { outcome: 'rejected', ...words };
  const temporary = status === 503 || status === 429 || OF_THE_RATE.has(type);
  return { outcome: 'refused', temporary, ...words };
}
