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
  notFound: {
    en: 'No one-time password has this id.',
    fr: 'Aucun code à usage unique n’a cet identifiant.',
  },
  hasLongBody: false,
  limits: [
    {
      name: 'otp-number',
      setting: 'otp_sends_per_number_per_10_minutes',
      windowSeconds: 600,
      per: 'number',
    },
    {
      name: 'otp-prefix',
      setting: 'otp_sends_per_prefix_per_hour',
      windowSeconds: 3_600,
      per: 'prefix',
    },
  ],
  isPumped: true,
  invalidNumber: 'validation_error',
  refusesAtOnce: false,

  acceptedContent: ({ otp }) => ({
    body: null,
    encoding: 'GSM-7',
    original_body: null,
    rewritten: false,
    otp: otp && {
      code_length: otp.code_length,
      ttl_seconds: otp.ttl_seconds,
      expires_at: otp.expires_at,
      language: otp.language,
      attempt_count: 0,
      max_attempts: otp.max_attempts,
      verified_at: null,
    },
  }),
  listed: (record) => ({ kind: 'otp', ...otpDetails(record) }),

  eventNamesOfA: NAMES,
  eventNamesOfB: NAMES,
  textOfA: () => ({}),
  statusOfA: (status) => (status === 'blocked' ? 'failed' : status),
  verdictOfA: () => ({}),
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
