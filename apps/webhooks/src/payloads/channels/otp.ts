import { otpDetails } from '@watchword/contracts';
import type { Channel, Names } from './channel.js';

/** Clients never see an OTP as blocked or rejected: it failed, with a reason. */
const NAMES: Names = {
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

export const OTP_CHANNEL: Channel = {
  namesOfA: NAMES,
  namesOfB: NAMES,
  wordsOfA: () => ({}),
  verdictOfA: () => ({}),
  statusOfA: (status) => (status === 'blocked' ? 'failed' : status),
  resource: ({ message, details }) =>
    details?.otp ? otpDetails({ ...message, ...details }) : null,
  sample: (at) => ({
    family: 'a',
    body: null,
    otp: {
      ...{ code_length: 6, ttl_seconds: 600, expires_at: at, language: 'en' },
      ...{ attempt_count: 0, max_attempts: 5, verified_at: null },
    },
  }),
};
