import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isGsm7 } from './gsm7.js';
import { foldBrand, isSenderId } from './sender-id.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

describe('isSenderId', () => {
  it.each(['A', 'Acme', 'Acme Bank 1', 'A.B&C_D-E', '1A'])('accepts %j', (value) => {
    expect(isSenderId(value)).toBe(true);
  });

  it.each([
    '',
    '12345',
    'Acme Bank 12',
    'Acmé',
    'Acme\n',
    '\nAcme',
    'A+B',
    '.&_-',
    '+2348031234567',
  ])('refuses %j', (value) => expect(isSenderId(value)).toBe(false));
});

describe('foldBrand', () => {
  it.each([
    ['Acme', 'Acme'],
    ['Café Zoé', 'Café Zoé'],
    ['Garçon Forêt', 'Garcon Foret'],
    ['Ọjà Ẹ̀kọ́', 'Ojà Eko'],
    ['Ƙasuwa ɗaya', 'Kasuwa daya'],
    ['L’Oréal™', "L'OréalTM"],
    ['  Acme \n\t Bank  🏦 ', 'Acme Bank'],
    ['微信', 'Watchword'],
    ['', 'Watchword'],
  ])('folds %j to %j', (name, expected) => {
    expect(foldBrand(name, 30)).toBe(expected);
  });

  it('cuts to length without a trailing space', () => {
    expect(foldBrand('Acme Bank', 5)).toBe('Acme');
    expect(foldBrand('中', 5)).toBe('Watch');
  });

  it('always gives a short, non-empty GSM-7 text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 30 }), (name, max) => {
        const brand = foldBrand(name, max);
        expect(isGsm7(brand)).toBe(true);
        expect(brand.length).toBeGreaterThan(0);
        expect(brand.length).toBeLessThanOrEqual(max);
        expect(brand).toBe(brand.trim());
      }),
    );
  });
});
