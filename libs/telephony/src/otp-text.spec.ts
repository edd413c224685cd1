import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { otpTemplateProblem, renderOtpText } from './otp-text.js';
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

  it('keeps every default text in one GSM-7 segment', () => {
    const brands = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('[', '€', '~'), minLength: 30, maxLength: 40 }),
    );
    fc.assert(
      fc.property(
        brands,
        fc.constantFrom('en' as const, 'fr' as const),
        fc.integer({ min: 1, max: 86_400 }),
        (brand, language, ttlSeconds) => {
          const text = renderOtpText({ language, brand, code: '1234567890', ttlSeconds });
          expect(measureSegments(text)).toMatchObject({ encoding: 'GSM-7', segments: 1 });
        },
      ),
    );
  });

  it('fills the text of a workspace in one pass', () => {
    const template = '{brand}: {code} ({minutes} min) {code} {constructor}';
    expect(renderOtpText({ ...acme, language: 'en', template })).toBe(
      'Acme: 482913 (10 min) 482913 {constructor}',
    );
    expect(
      renderOtpText({ ...acme, brand: '{code}$&', language: 'en', template: '{brand} {code}' }),
    ).toBe('{code}$& 482913');
  });

  it('folds the brand only in a text that GSM-7 can carry', () => {
    const brand = '微信 Forêt';
    expect(renderOtpText({ ...acme, brand, language: 'fr', template: '{brand} {code}' })).toBe(
      'Foret 482913',
    );
    expect(renderOtpText({ ...acme, brand, language: 'fr', template: '码 {brand} {code}' })).toBe(
      '码 微信 Forêt 482913',
    );
  });
});

describe('otpTemplateProblem', () => {
  it('demands the code and knows three placeholders', () => {
    expect(otpTemplateProblem('{brand} {code} {minutes} { }')).toBeNull();
    expect(otpTemplateProblem('{brand}')).toBe('missing_code');
    expect(otpTemplateProblem('{code} {name}')).toBe('unknown_placeholder');
  });
});
