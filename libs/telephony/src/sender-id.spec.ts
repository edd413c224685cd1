import { describe, expect, it } from '@jest/globals';
import { foldSenderId, isSenderId, listsSenderId } from './sender-id.js';

describe('isSenderId', () => {
  it.each(['A', 'Acme', 'Acme Bank 1', 'A.B&C_D-E', '1A'])('accepts %j', (value) => {
    expect(isSenderId(value)).toBe(true);
  });

  it.each(['', '12345', 'Acmé', 'Acme\n', ' Acme', 'Acme ', '.&_-'])(
    'decisions 28: refuses %j',
    (value) => expect(isSenderId(value)).toBe(false),
  );
});

describe('listsSenderId', () => {
  it.each<[string | null, boolean]>([
    ['Acme', true],
    ['ACME', true],
    ['Acme2', false],
    ['', false],
    [null, false],
  ])('%j: %s', (senderId, isListed) => {
    expect(listsSenderId(['Other', 'aCme'], senderId)).toBe(isListed);
  });

  it('returns false without a sender ID, even if an entry folds to the empty text', () => {
    expect(listsSenderId(['-'], null)).toBe(false);
  });
});

describe('foldSenderId', () => {
  it.each(['GTBank', 'G.T. BANK', 'GT & Bank', 'ＧＴＢａｎｋ', 'GTBánk'])(
    'folds %j to one form',
    (senderId) => expect(foldSenderId(senderId)).toBe('gtbank'),
  );

  it.each([
    ['0Pay', 'OPay'],
    ['1nfo', 'INFO'],
    ['GТBаnk', 'GTBank'],
    ['Орау', 'OPay'],
  ])('decisions 28: folds %s and %s to the same form', (one, other) =>
    expect(foldSenderId(one)).toBe(foldSenderId(other)),
  );

  it('distinguishes names that look different', () => {
    expect(foldSenderId('GTBank2')).not.toBe(foldSenderId('GTBank'));
  });

  it.each([
    ['20110', '20110'],
    ['+234 803-123', '234803123'],
    ['', ''],
  ])('keeps the digits of the number %j', (number, folded) =>
    expect(foldSenderId(number)).toBe(folded),
  );
});
