import { publicStatus, type VerifyResult } from '@watchword/contracts';
import { otpOf } from '../channels/channels.js';
import type { Message } from '../messages/message.js';
import {
  exhaust,
  expireIfDue,
  nextState,
  notBefore,
  visibleState,
} from '../messages/message-change.policy.js';

export interface Verification {
  readonly message: Message;
  readonly result: VerifyResult;
}

/**
 * One guess at one code (decisions, section 3). The first of these that holds decides: verified,
 * exhausted, expired, ended otherwise, number barred after too many wrong guesses. Only a guess that
 * passes all of them counts. The caller compares the code for every guess, so that all guesses take
 * the same time, and passes the result.
 */
export function verified(
  message: Message,
  isRight: boolean,
  at: Date,
  barredForSeconds: number | null,
): Verification {
  const otp = otpOf(message);
  if (otp === null) return { message, result: { outcome: 'not_found' } };
  const refusal = refusalOf(message, at);
  if (refusal) return { message: expireIfDue(message, at), result: { outcome: refusal } };
  if (barredForSeconds !== null) {
    const retry_after_seconds = barredForSeconds;
    return { message, result: { outcome: 'guessing_capped', retry_after_seconds } };
  }
  const attemptCount = otp.attemptCount + 1;
  const counted = { ...message, content: { ...otp, attemptCount } };
  const next = isRight ? correct(counted, at) : wrong(counted, attemptCount, otp.maxAttempts, at);
  return {
    message: next,
    result: {
      outcome: 'checked',
      valid: isRight,
      status: publicWord(next),
      attempts_used: attemptCount,
      attempts_remaining: Math.max(0, otp.maxAttempts - attemptCount),
      replayed: false,
    },
  };
}

export type Refusal = 'otp_already_verified' | 'max_attempts_exceeded' | 'otp_expired' | 'conflict';

/** Why a code can be neither verified nor sent again; null while it can. */
export function refusalOf(message: Message, at: Date): Refusal | null {
  const { state, reason } = message;
  if (state === 'verified') return 'otp_already_verified';
  if (reason === 'max_attempts_exceeded') return 'max_attempts_exceeded';
  if (state === 'expired' || reason === 'expired') return 'otp_expired';
  if (state === 'accepted' || state === 'sent' || state === 'delivered') {
    const otp = otpOf(message);
    return otp !== null && otp.expiresAt <= at ? 'otp_expired' : null;
  }
  return 'conflict';
}

function correct(message: Message, at: Date): Message {
  const state = nextState(message, 'code_verified');
  return { ...message, state, verifiedAt: notBefore(message, at) };
}

function wrong(message: Message, attemptCount: number, maxAttempts: number, at: Date): Message {
  return attemptCount >= maxAttempts ? exhaust(message, at) : message;
}

/** Verification knows no `delivered`. */
function publicWord(message: Message): string {
  const status = publicStatus(visibleState(message), 'a');
  return status === 'delivered' ? 'sent' : status;
}
