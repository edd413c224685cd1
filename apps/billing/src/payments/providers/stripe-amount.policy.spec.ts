import { describe, expect, it } from '@jest/globals';
import { amountFromStripe, stripeAmount } from './stripe-amount.policy.js';

const WITHOUT_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW PYG RWF VND VUV XAF XOF XPF'.split(' ');

describe('an amount at Stripe', () => {
  it.each([
    ['UGX', 5_000, 500_000],
    ['ISK', 5, 500],
    ['MGA', 500, 5],
    ['KWD', 5_120, 5_120],
    ['HUF', 1_045, 1_045],
    ['TWD', 80_045, 80_045],
    ['NGN', 100, 100],
    ['USD', 1, 1],
    ...WITHOUT_DECIMALS.map((currency) => [currency, 501, 501] as const),
  ])('of %s is charged and read back: %d', (currency, amount, charged) => {
    expect(stripeAmount(amount, currency)).toBe(charged);
    expect(amountFromStripe(charged, currency.toLowerCase())).toBe(amount);
  });

  it.each([
    ['MGA', 501],
    ['KWD', 5_124],
    ['BHD', 1],
    ['JOD', 5],
    ['OMR', 11],
    ['TND', 101],
    ['UGX', 2 ** 52],
  ])('of %s that cannot be charged exactly is none: %d', (currency, amount) => {
    expect(stripeAmount(amount, currency)).toBeNull();
  });
});
