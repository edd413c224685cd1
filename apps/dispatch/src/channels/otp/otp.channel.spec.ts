import { expect, it } from '@jest/globals';
import { measureSegments } from '@watchword/telephony';
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

it.each([
  [600, null, '10 minutes'],
  [600, 60, '9 minutes'],
  [600, 61, '9 minutes'],
  [90, 65, '1 minute'],
  [61, 0, '2 minutes'],
  [45, 20, '25 seconds'],
])(
  'the text of a one-time password that lives %d s and is sent again after %p s says %s',
  (ttl, after, span) => {
    expect(textAfter(ttl, after)).toContain(`It expires in ${span}.`);
  },
);

it.each([null, '{code} {minutes} min, “{brand}”', `${'x'.repeat(142)} {code} {minutes}`])(
  'the text of a one-time password is never longer than the one that was priced, with the text %j',
  (template) => {
    const known = message('otp').content as OtpContent;
    for (const ttlSeconds of [10, 59, 60, 61, 600, 6_000, 86_400]) {
      const content = { ...known, template, ttlSeconds, expiresAt: later(ttlSeconds * 1_000) };
      const priced = measureSegments(OTP_CHANNEL.text(content, '123456', null)).segments;
      for (let seconds = 0; seconds < ttlSeconds; seconds += Math.ceil(ttlSeconds / 50)) {
        const text = OTP_CHANNEL.text(content, '123456', later(seconds * 1_000));
        expect(measureSegments(text).segments).toBeLessThanOrEqual(priced);
      }
    }
  },
);
