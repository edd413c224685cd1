import { describe, expect, it } from '@jest/globals';
import { later, message } from '../../../test/message.kit.js';
import { OTP_CHANNEL } from './otp.channel.js';
import type { OtpContent } from './otp.content.js';

/** Returns the text of a code that lives for a time and is sent again after another. */
function textAfter(ttlSeconds: number, resentAfterSeconds: number | null): string {
  const known = message('otp').content as OtpContent;
  const content = { ...known, ttlSeconds, expiresAt: later(ttlSeconds * 1_000) };
  const resentAt = resentAfterSeconds === null ? null : later(resentAfterSeconds * 1_000);
  return OTP_CHANNEL.text(content, '123456', resentAt);
}

describe('the text of a one-time password', () => {
  it.each([
    [600, null, '10 minutes'],
    [600, 60, '9 minutes'],
    [600, 61, '9 minutes'],
    [90, 65, '1 minute'],
    [61, 0, '2 minutes'],
    [45, 20, '25 seconds'],
    [600, 601, '1 minute'],
  ])('that lives %d s and is resent after %p s tells %s', (ttl, after, span) => {
    expect(textAfter(ttl, after)).toContain(`It expires in ${span}.`);
  });
});
