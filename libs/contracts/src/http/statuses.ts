import { Type } from '@sinclair/typebox';

export const OTP_STATUSES = [
  'pending',
  'sent',
  'delivered',
  'verified',
  'expired',
  'failed',
] as const;
/** Of an SMS in the words of variant A. */
const STATUSES_OF_VARIANT_A = ['pending', 'sent', 'delivered', 'failed', 'blocked'] as const;
/** Words that only variant B has. */
const STATUSES_OF_VARIANT_B_ALONE = ['scheduled', 'queued', 'rejected', 'cancelled'] as const;
export const SMS_STATUSES = [...STATUSES_OF_VARIANT_A, ...STATUSES_OF_VARIANT_B_ALONE] as const;

/** Of a hop of any kind: a message that waits has none but `queued`. */
export const HOP_STATUSES = [...new Set([...OTP_STATUSES, ...SMS_STATUSES])].filter(
  (status) => status !== 'pending' && status !== 'scheduled',
);

/** A status in an answer. The type stays a text, because records hold it as one. */
const statusAmong = (statuses: readonly string[]) => Type.String({ enum: statuses });

export const OtpStatus = statusAmong(OTP_STATUSES);
/** After an attempt; a delivered code is `sent` here. */
export const VerificationStatus = statusAmong(['pending', 'sent', 'verified', 'failed']);
/** In the words of the message's family. */
export const SmsStatus = statusAmong(SMS_STATUSES);
