import { describe, expect, it } from '@jest/globals';
import { BALANCE_MAX } from '@watchword/contracts';
import { debtPaid, takenBack, toppedUp } from './top-up.policy.js';

const wallet = { balance: 10, purchasedCredits: 3, entryCount: 4, debt: 0 };

describe('a top-up', () => {
  it('counts purchases, and nothing else, as bought', () => {
    expect(toppedUp(wallet, 5, 'purchase')).toEqual({
      balance: 15,
      purchasedCredits: 8,
      entryCount: 5,
      debt: 0,
    });
    for (const kind of ['trial', 'bonus', 'adjustment'] as const) {
      expect(toppedUp(wallet, 5, kind)).toEqual({ ...wallet, balance: 15, entryCount: 5 });
    }
  });

  it('leaves room for refunds below what JSON carries exactly', () => {
    const full = { balance: BALANCE_MAX - 1, purchasedCredits: 0, entryCount: 1, debt: 0 };
    expect(toppedUp(full, 1, 'bonus')).toMatchObject({ balance: BALANCE_MAX });
    expect(toppedUp(full, 2, 'bonus')).toBe('balance_too_high');
    expect(toppedUp({ ...full, balance: BALANCE_MAX + 9 }, -1, 'adjustment')).toMatchObject({
      balance: BALANCE_MAX + 8,
    });
    const bought = { balance: 0, purchasedCredits: BALANCE_MAX, entryCount: 1, debt: 0 };
    expect(toppedUp(bought, 1, 'purchase')).toBe('balance_too_high');
    expect(toppedUp(bought, 1, 'bonus')).toMatchObject({ balance: 1 });
  });
});

describe('a refunded purchase', () => {
  const bought = { balance: 30, purchasedCredits: 100, entryCount: 2, debt: 0 };

  it('takes what the wallet still has; the rest is a debt', () => {
    expect(takenBack(bought, 20)).toEqual({
      taken: 20,
      after: { balance: 10, purchasedCredits: 80, entryCount: 3, debt: 0 },
    });
    expect(takenBack(bought, 100)).toEqual({
      taken: 30,
      after: { balance: 0, purchasedCredits: 0, entryCount: 3, debt: 70 },
    });
  });

  it('is paid for by the next purchase, as far as that reaches', () => {
    const owing = { balance: 55, purchasedCredits: 50, entryCount: 4, debt: 70 };
    expect(debtPaid(owing, 50)).toEqual({
      paid: 50,
      after: { balance: 5, purchasedCredits: 50, entryCount: 5, debt: 20 },
    });
    expect(debtPaid({ ...owing, debt: 20 }, 50)).toMatchObject({ paid: 20, after: { debt: 0 } });
    expect(debtPaid({ ...owing, debt: 0 }, 50)).toBeUndefined();
  });
});
