import { describe, expect, it } from '@jest/globals';
import { BALANCE_MAX } from '@watchword/contracts';
import { toppedUp } from './top-up.policy.js';

const wallet = { balance: 10, purchasedCredits: 3, entryCount: 4 };

describe('a top-up', () => {
  it('counts purchases, and nothing else, as bought', () => {
    expect(toppedUp(wallet, 5, 'purchase')).toEqual({
      balance: 15,
      purchasedCredits: 8,
      entryCount: 5,
    });
    for (const kind of ['trial', 'bonus', 'adjustment'] as const) {
      expect(toppedUp(wallet, 5, kind)).toEqual({ ...wallet, balance: 15, entryCount: 5 });
    }
  });

  it('may empty a wallet by adjustment, but not overdraw it', () => {
    expect(toppedUp(wallet, -10, 'adjustment')).toMatchObject({ balance: 0 });
    expect(toppedUp(wallet, -11, 'adjustment')).toBe('balance_too_low');
  });

  it('leaves room for refunds below what JSON carries exactly', () => {
    const full = { balance: BALANCE_MAX - 1, purchasedCredits: 0, entryCount: 1 };
    expect(toppedUp(full, 1, 'bonus')).toMatchObject({ balance: BALANCE_MAX });
    expect(toppedUp(full, 2, 'bonus')).toBe('balance_too_high');
    expect(toppedUp({ ...full, balance: BALANCE_MAX + 9 }, -1, 'adjustment')).toMatchObject({
      balance: BALANCE_MAX + 8,
    });
    const bought = { balance: 0, purchasedCredits: BALANCE_MAX, entryCount: 1 };
    expect(toppedUp(bought, 1, 'purchase')).toBe('balance_too_high');
    expect(toppedUp(bought, 1, 'bonus')).toMatchObject({ balance: 1 });
  });

  it('takes nothing away under another name', () => {
    expect(() => toppedUp(wallet, -1, 'bonus')).toThrow(RangeError);
  });
});
