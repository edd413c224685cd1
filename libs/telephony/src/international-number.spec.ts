import { expect, it } from '@jest/globals';
import { internationalNumber } from './international-number.js';

it.each([
  ['+234 803 123 4567', 'NG', '+2348031234567'],
  ['00234-803-123-4567', 'GB', '+2348031234567'],
  ['0803 123 4567', 'NG', '+2348031234567'],
  ['803 123 4567', 'NG', '+2348031234567'],
  ['2348031234567', 'NG', '+2348031234567'],
  ['(415) 555-0123', 'US', '+14155550123'],
  ['07911 123456', 'GB', '+447911123456'],
  ['+44 (0)20 7946 0000', 'NG', '+442079460000'],
  ['\u202a+234\u00a0803\u2212123\u20134567\u202c', 'GB', '+2348031234567'],
  ['\uff0b\uff12\uff13\uff14 803 123 4567', 'GB', '+2348031234567'],
  ['\u0660\u0668\u0660\u0663 123 4567', 'NG', '+2348031234567'],
])('%s written in %s is %s', (text, country, number) => {
  expect(internationalNumber(text, country)).toBe(number);
});

it.each(['hello', '', '+', '12', '+0123456789', '08031234567890123', '+234 803x'])(
  'the text "%s" is no number',
  (text) => {
    expect(internationalNumber(text, 'NG')).toBeNull();
  },
);
