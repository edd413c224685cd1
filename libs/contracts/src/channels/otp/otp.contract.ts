import { timeText } from '../../moment.js';
import { otpDetails } from '../../records/otp.record.js';
import type { EventNames, PhoneChannelContract } from '../channel-contract.js';

/** Clients never see an OTP as blocked or rejected: it failed, with a reason. */
const NAMES: EventNames = {
  'message.queued': null,
  'message.sent': 'otp.sent',
  'message.delivered': 'otp.delivered',
  'message.verified': 'otp.verified',
  'message.expired': 'otp.expired',
  'message.failed': 'otp.failed',
  'message.blocked': 'otp.failed',
  'message.rejected': 'otp.failed',
  'message.cancelled': 'otp.failed',
};

export const OTP_CONTRACT: PhoneChannelContract = {
  pricedBy: 'segment',
  granted: null,
  isPumped: true,
  refusesAtOnce: false,
  invalidNumber: 'validation_error',
  hasLongBody: false,
  listed: (record) => ({ kind: 'otp', ...otpDetails(record) }),
  namesOfA: NAMES,
  namesOfB: NAMES,
  wordsOfA: () => ({}),
  verdictOfA: () => ({}),
  statusOfA: (status) => (status === 'blocked' ? 'failed' : status),
  resource: ({ message, details }) =>
    details?.otp ? otpDetails({ ...message, ...details }) : null,
  sample(state, at) {
    const isVerified = state === 'verified';
    const createdAt = state === 'expired' ? later(at, -SAMPLE_TTL_SECONDS) : at;
    return {
      family: 'a',
      sender_id: null,
      body: null,
      created_at: createdAt,
      otp: {
        code_length: 6,
        ttl_seconds: SAMPLE_TTL_SECONDS,
        expires_at: later(createdAt, SAMPLE_TTL_SECONDS),
        language: 'en',
        attempt_count: isVerified ? 1 : 0,
        max_attempts: 5,
        verified_at: isVerified ? at : null,
      },
    };
  },
};

const SAMPLE_TTL_SECONDS = 600;

function later(moment: string, seconds: number): string {
  return timeText(new Date(Date.parse(moment) + seconds * 1_000));
}
