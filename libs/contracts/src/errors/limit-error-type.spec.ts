import { describe, expect, it } from '@jest/globals';
import { limitErrorType } from './limit-error-type.js';

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
