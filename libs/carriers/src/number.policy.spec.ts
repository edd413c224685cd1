import { describe, expect, it } from '@jest/globals';
import { e164Of, withoutPlus } from './number.policy.js';

describe('numbers of carriers', () => {
  it.each([
    ['+2348031234567', '+2348031234567'],
    ['2348031234567', '+2348031234567'],
    [' 2348031234567', '+2348031234567'],
    [2348031234567, '+2348031234567'],
    ['20880', null],
    ['08031234567', null],
    ['Acme', null],
    ['', null],
    [null, null],
    [{}, null],
  ])('%j is %j in E.164', (value, number) => {
    expect(e164Of(value)).toBe(number);
  });

  it.each([
    ['+447700900123', '447700900123'],
    ['20880', '20880'],
    ['+Plus', '+Plus'],
  ])('%s is %s without its plus', (number, bare) => {
    expect(withoutPlus(number)).toBe(bare);
  });
});
