import { describe, expect, it } from '@jest/globals';
import { isWebOtpDomain, otpLastLine } from './otp-autofill.js';
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

  it('is absent unless wanted', () => {
    expect(otpLastLine(none)).toBeNull();
    expect(renderOtpText(TEXT)).not.toContain('\n');
  });
});

describe('a domain for it', () => {
  it.each(['example.com', 'app.example.com', 'xn--bcher-kva.example', 'a-1.example.co'])(
    'can be %s',
    (value) => expect(isWebOtpDomain(value)).toBe(true),
  );

  it.each([
    '',
    'localhost',
    'Example.com',
    'bücher.example',
    'https://example.com',
    'example.com/',
    'example.com:443',
    'user@example.com',
    'example.com?x',
    'example.com#x',
    'two words.com',
    '127.0.0.1',
    '[::1]',
    'example.com.',
  ])('cannot be %j', (value) => expect(isWebOtpDomain(value)).toBe(false));
});
