import { describe, expect, it } from '@jest/globals';
import { foldSenderId, isSenderId, listsSenderId } from './sender-id.js';

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

describe('listsSenderId', () => {
  it.each<[string | null, boolean]>([
    ['Acme', true],
    ['ACME', true],
    ['Acm e', false],
    ['', false],
    [null, false],
  ])('%j: %s', (senderId, isListed) => {
    expect(listsSenderId(['Other', 'aCme'], senderId)).toBe(isListed);
  });
});

describe('foldSenderId', () => {
  it.each(['GTBank', 'gtbank', 'G.T. BANK', 'gt-bank', 'GT_BANK', 'GT & Bank'])(
    'gives "%s" one form',
    (senderId) => expect(foldSenderId(senderId)).toBe('gtbank'),
  );

  it('distinguishes names that look different', () => {
    expect(foldSenderId('GTBank2')).not.toBe(foldSenderId('GTBank'));
  });
});
