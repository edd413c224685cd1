import { describe, expect, it } from '@jest/globals';
import { findCountry } from './countries.js';
import { isNumberOf } from './number-country.js';

describe('isNumberOf', () => {
  it.each([
    ['NG', '+2348031234567', true],
    ['NG', '+22997123456', false],
    ['BJ', '+2290197123456', true],
    ['US', '+14155550123', true],
    ['CA', '+14155550123', false],
    ['US', '+16215550123', true],
    ['CA', '+16215550123', false],
    ['GB', '+447400123456', true],
    ['RU', '+77011234567', false],
  ])('%s, %s: %s', (code, number, expected) => {
    const country = findCountry(code);
    expect(country !== null && isNumberOf(country, number)).toBe(expected);
  });
});
