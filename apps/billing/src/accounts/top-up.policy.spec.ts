import { describe, expect, it } from '@jest/globals';
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
    expect(toppedUp(wallet, -10, 'adjustment')?.balance).toBe(0);
    expect(toppedUp(wallet, -11, 'adjustment')).toBeNull();
  });

  it('takes nothing away under another name', () => {
    expect(() => toppedUp(wallet, -1, 'bonus')).toThrow(RangeError);
  });
});
