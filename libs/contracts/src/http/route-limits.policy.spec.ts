import { describe, expect, it } from '@jest/globals';
import { countsStrangers, hasRateBySecond, limitErrorType } from './route-limits.policy.js';

describe('the word for too many requests', () => {
  it.each([
    ['/v1/otp/send', 'rate_limited'],
    ['/v1/otp/:id/cancel', 'rate_limited'],
    ['/v1/sms/send', 'rate_limited'],
    ['/v1/sms/:id', 'rate_limited'],
    // As it came, where a method has no route.
    ['/v1/sms/0199a000-0000-7000-8000-000000000001', 'rate_limited'],
    ['/v1/pricing', 'rate_limited'],
    ['/v1/sms', 'rate_limit_exceeded'],
    ['/v1/sms/batch', 'rate_limit_exceeded'],
    ['/v1/emails/batch', 'rate_limit_exceeded'],
    ['/v1/balance', 'rate_limit_exceeded'],
    ['/v1/otp', 'rate_limit_exceeded'],
    ['/v1/quote', 'rate_limit_exceeded'],
    ['/dashboard/keys', 'rate_limit_exceeded'],
  ])('of %s is %s', (path, type) => {
    expect(limitErrorType(path)).toBe(type);
  });
});

describe('the rate by the second', () => {
  it.each(['/v1/sms', '/v1/sms/batch', '/v1/emails', '/v1/webhooks/:id'])(
    'is that of %s',
    (path) => {
      expect(hasRateBySecond(path)).toBe(true);
      expect(limitErrorType(path)).toBe('rate_limit_exceeded');
    },
  );

  it.each(['/v1/sms/send', '/v1/sms/:id', '/v1/otp/send', '/v1/otp', '/v1/balance', '/v1/quote'])(
    'is not that of %s',
    (path) => {
      expect(hasRateBySecond(path)).toBe(false);
    },
  );
});

describe('strangers', () => {
  it.each([
    ['/v1/pricing', true],
    ['/auth/login', true],
    ['/health', false],
    ['/callbacks/twilio', false],
  ])('at %s are counted: %s', (path, counted) => {
    expect(countsStrangers(path)).toBe(counted);
  });
});
