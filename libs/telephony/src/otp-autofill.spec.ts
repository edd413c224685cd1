import { describe, expect, it } from '@jest/globals';
import { otpLastLine } from './otp-autofill.js';
import { renderOtpText } from './otp-text.js';
import { measureSegments } from './segments.js';

const TEXT = { language: 'en', brand: 'Acme', code: '482913', ttlSeconds: 600 } as const;
const none = { webotpDomain: null, androidAppHash: null };

describe('the last line', () => {
  it('is the origin and the code, alone on their line', () => {
    const lastLine = otpLastLine({ ...none, webotpDomain: 'app.example.com' }) ?? '';
    const template = 'Your {brand} code is {code}.';
    const text = renderOtpText({ ...TEXT, template, lastLine });
    expect(text).toBe('Your Acme code is 482913.\n\n@app.example.com #482913');
    expect(measureSegments(text)).toMatchObject({ encoding: 'GSM-7', units: 51, segments: 1 });
  });

  it('is the hash of the Android app', () => {
    const lastLine = otpLastLine({ ...none, androidAppHash: 'FA+9qCX9VSu' }) ?? '';
    const text = renderOtpText({ ...TEXT, template: 'Your {brand} code is {code}', lastLine });
    expect(text).toBe('Your Acme code is 482913\nFA+9qCX9VSu');
    expect(measureSegments(text).units).toBe(36);
  });
});
