import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { brandOf, otpTemplateProblem, renderOtpText } from './otp-text.js';
import { otpSegments } from './otp-measure.js';
import { measureSegments } from './segments.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

const acme = { brand: 'Acme', code: '482913', ttlSeconds: 600 };

describe('renderOtpText', () => {
  it('speaks English and French', () => {
    expect(renderOtpText({ ...acme, language: 'en' })).toBe(
      'Your Acme code is 482913. It expires in 10 minutes. Never share it.',
    );
    expect(renderOtpText({ ...acme, language: 'fr' })).toBe(
      'Votre code Acme est 482913. Il expire dans 10 minutes. Ne le partagez jamais.',
    );
  });

  it.each([
    [1, '1 second', '1 seconde'],
    [59, '59 seconds', '59 secondes'],
    [60, '1 minute', '1 minute'],
    [61, '2 minutes', '2 minutes'],
    [3600, '60 minutes', '60 minutes'],
  ])('says how long %d seconds are', (ttlSeconds, english, french) => {
    expect(renderOtpText({ ...acme, ttlSeconds, language: 'en' })).toContain(` in ${english}.`);
    expect(renderOtpText({ ...acme, ttlSeconds, language: 'fr' })).toContain(` dans ${french}.`);
  });

  it('keeps every default text with a brand in GSM-7 in one segment', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '[', '€', '~'), minLength: 1, maxLength: 40 }),
        fc.constantFrom('en' as const, 'fr' as const),
        fc.integer({ min: 1, max: 86_400 }),
        (name, language, ttlSeconds) => {
          const shape = { language, brand: brandOf(name), ttlSeconds };
          const text = renderOtpText({ ...shape, code: '1234567890' });
          expect(measureSegments(text)).toMatchObject({ encoding: 'GSM-7', segments: 1 });
          const own = { codeLength: 10, template: null, lastLine: null };
          expect(otpSegments({ ...shape, ...own })).toBe(1);
        },
      ),
    );
  });

  it('fills the text of a workspace in one pass', () => {
    const decomposed = renderOtpText({ ...acme, language: 'fr', template: 'Cafe\u0301 {code}' });
    expect(decomposed).toBe(`Café ${acme.code}`);
    const template = '{brand}: {code} ({minutes} min) {code} {constructor}';
    expect(renderOtpText({ ...acme, language: 'en', template })).toBe(
      'Acme: 482913 (10 min) 482913 {constructor}',
    );
    expect(
      renderOtpText({ ...acme, brand: '{code}$&', language: 'en', template: '{brand} {code}' }),
    ).toBe('{code}$& 482913');
  });

  it('leaves the brand as it is, and is measured with it', () => {
    const brand = '微信 Forêt “x” 🏦';
    const text = renderOtpText({ ...acme, brand, language: 'en' });
    expect(text).toBe(
      'Your 微信 Forêt “x” 🏦 code is 482913. It expires in 10 minutes. Never share it.',
    );
    const shape = { ...acme, brand, language: 'en' as const, template: null, lastLine: null };
    expect(otpSegments({ ...shape, codeLength: 6 })).toBe(measureSegments(text).segments);
    expect(measureSegments(text)).toMatchObject({ encoding: 'UCS-2', segments: 2 });
  });
});

describe('brandOf', () => {
  it.each([
    ['Acme', 'Acme'],
    ['Ọmọ Ẹ̀kọ́', 'Ọmọ Ẹ̀kọ́'.normalize('NFC')],
    ['Acme “x” – €5 🏦', 'Acme “x” – €5 🏦'],
    ['  Acme \r\n\t Bank\u2028', 'Acme Bank'],
    ['🏦'.repeat(31), '🏦'.repeat(30)],
    [`${'W'.repeat(29)} W`, 'W'.repeat(29)],
    [' \n', 'Watchword'],
    ['Ac\u202eme\u200b', 'Acme'],
  ])('of %j is %j', (name, brand) => expect(brandOf(name)).toBe(brand));
});

describe('otpTemplateProblem', () => {
  it('demands the code and knows three placeholders', () => {
    expect(otpTemplateProblem('{brand} {code} {minutes} { }')).toBeNull();
    expect(otpTemplateProblem('{brand}')).toBe('missing_code');
    expect(otpTemplateProblem('{code} {name}')).toBe('unknown_placeholder');
  });
});
