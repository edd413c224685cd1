import { describe, expect, it } from '@jest/globals';
import { erasedNumber, maskNumber } from './mask.js';

describe('maskNumber', () => {
  it.each([
    ['+2348031234567', '+234•••••567'],
    ['+12025550123', '+1•••••123'],
    ['+2290197123456', '+229•••••456'],
    ['+29012345', '+290•••••'],
    ['+99912345678', '+•••••678'],
    ['2348031234567', '•••••'],
    ['Ada +2348031234567', '•••••'],
    ['', '•••••'],
  ])('masks %s', (number, masked) => {
    expect(maskNumber(number)).toBe(masked);
  });
});

describe('erasedNumber', () => {
  it.each([
    ['+2348031234567', '+234•••••'],
    ['+12025550123', '+1•••••'],
    ['+99912345678', '+•••••'],
  ])('leaves only the country of %s, also when it is masked', (number, erased) => {
    expect(erasedNumber(number)).toBe(erased);
    expect(maskNumber(erased)).toBe(erased);
  });
});
