import { describe, expect, it } from '@jest/globals';
import { foldSenderId } from './sender-id-fold.policy.js';

describe('foldSenderId', () => {
  it.each(['GTBank', 'gtbank', 'G.T. BANK', 'gt-bank', 'GT_BANK', 'GT & Bank'])(
    'gives "%s" one form',
    (senderId) => expect(foldSenderId(senderId)).toBe('gtbank'),
  );

  it('distinguishes names that look different', () => {
    expect(foldSenderId('GTBank2')).not.toBe(foldSenderId('GTBank'));
  });
});
