import { OtpListQuery } from '../http/message-list.schema.js';
import {
  NoBody,
  OtpDetails,
  ResendOtpAnswer,
  SendOtpAnswer,
  SendOtpBody,
  VerifyOtpAnswer,
  VerifyOtpBody,
} from '../http/otp.schema.js';
import { BODY_BOUNDS } from './body-bounds.js';
import { EXAMPLE_ID, EXAMPLE_NUMBER } from './examples.js';
import { routesOf } from './route.js';
import { pageOf } from '../shapes.js';

const ENDED = ['otp_expired', 'otp_already_verified', 'max_attempts_exceeded'] as const;
const KEYED = ['idempotency_conflict', 'conflict'] as const;

export const otpRoutes = routesOf(
  {
    tag: 'One-time passwords',
    guard: 'key',
    permissions: ['full', 'otp'],
    bodyBounds: BODY_BOUNDS.oneMessage,
    limits: { errorType: 'rate_limited' },
    resource: 'otp',
  },
  {
    sendOtp: {
      at: 'POST /v1/otp/send',
      isSend: true,
      summary: 'Send a one-time password',
      description: 'Generates a code, charges its credits and queues it for the best provider.',
      body: SendOtpBody,
      answer: SendOtpAnswer,
      idempotent: true,
      errors: ['insufficient_credits', 'country_not_enabled', 'prefix_blocked', ...KEYED],
      example: { phone_number: EXAMPLE_NUMBER, code_length: 6, ttl_seconds: 600, language: 'en' },
    },
    verifyOtp: {
      at: 'POST /v1/otp/verify',
      summary: 'Verify a code',
      description: 'A wrong code with attempts left is an answer, not an error: `valid` is false.',
      body: VerifyOtpBody,
      answer: VerifyOtpAnswer,
      idempotent: true,
      errors: ['not_found', ...ENDED, ...KEYED],
      example: { otp_id: EXAMPLE_ID, code: '123456' },
    },
    listOtps: {
      at: 'GET /v1/otp',
      owner: 'dispatch',
      asks: ['recent_texts'],
      summary: 'List one-time passwords',
      description: 'Newest first, in the mode of the key.',
      query: OtpListQuery,
      answer: pageOf(OtpDetails),
      limits: { errorType: 'rate_limit_exceeded' },
    },
    getOtp: {
      at: 'GET /v1/otp/:id',
      summary: 'Retrieve a one-time password',
      description: 'Its state, its timeline and its cost. The code is never shown.',
      answer: OtpDetails,
      errors: ['not_found'],
    },
    resendOtp: {
      at: 'POST /v1/otp/:id/resend',
      isSend: true,
      summary: 'Resend a one-time password',
      description: 'Sends the same code with the same expiry again. A resend is charged.',
      body: NoBody,
      answer: ResendOtpAnswer,
      idempotent: true,
      errors: [
        ...([
          'not_found',
          'insufficient_credits',
          'country_not_enabled',
          'prefix_blocked',
        ] as const),
        ...ENDED,
        ...KEYED,
      ],
      example: {},
    },
    cancelOtp: {
      at: 'POST /v1/otp/:id/cancel',
      summary: 'Cancel a one-time password',
      description: 'The code stops verifying. Credits go back if no provider accepted the message.',
      body: NoBody,
      answer: OtpDetails,
      idempotent: true,
      errors: ['not_found', ...ENDED, ...KEYED],
      example: {},
    },
  },
);
