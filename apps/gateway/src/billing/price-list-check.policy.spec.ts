import { expect, it } from '@jest/globals';
import { checkPriceList } from './price-list-check.policy.js';

it('a refused price list has a sentence in both languages', () => {
  const list = {
    credit_price: { amount: 1, currency: 'naira' },
    default_credits: 1,
    countries: {},
  };
  const field = 'credit_price.currency';
  const text = {
    en: `${field} must be three capital letters, for example "NGN".`,
    fr: `${field} doit être fait de trois lettres majuscules, par exemple « NGN ».`,
  };
  expect(() => checkPriceList(list)).toThrow(expect.objectContaining({ field, text }));
});
