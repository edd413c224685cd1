import type { ErrorType, LimitErrorType } from '@watchword/contracts';

/** Names of a send's inputs and refusals in a family of endpoints. */
export interface SendWords {
  readonly number: string;
  readonly sender: string;
  readonly text: string;
  readonly limited: LimitErrorType;
  readonly unpaid: ErrorType;
}

export const VARIANT_A_WORDS: SendWords = {
  number: 'phone_number',
  sender: 'sender_id',
  text: 'message',
  limited: 'rate_limited',
  unpaid: 'insufficient_credits',
};

export const VARIANT_B_WORDS: SendWords = {
  number: 'to',
  sender: 'from',
  text: 'body',
  limited: 'rate_limit_exceeded',
  unpaid: 'sms_quota_exceeded',
};

/** An email has no number; its recipients are `to`. */
export const EMAIL_WORDS: SendWords = { ...VARIANT_B_WORDS, unpaid: 'quota_exceeded' };

/** The agent endpoint has one type for all its limits. */
export const AGENT_SMS_WORDS: SendWords = { ...VARIANT_B_WORDS, limited: 'rate_limited' };
