import { describe, expect, it } from '@jest/globals';
import { findCountry } from '@watchword/telephony';
import { readDndList } from './dnd-list.policy.js';

const nigeria = findCountry('NG');
if (nigeria === null) throw new Error('no Nigeria');
const read = (text?: string) => readDndList(text, nigeria);

describe('readDndList', () => {
  it('takes numbers with or without a header, quotes and empty lines', () => {
    const numbers = ['+2348031234567', '+2348031234568'];
    expect(read(numbers.join('\n'))).toEqual(numbers);
    expect(read(`\ufeffphone_number\r\n"${numbers[0]}"\r\n\r\n${numbers[1]}\r\n`)).toEqual(numbers);
    expect(read(`Numéro de téléphone\n${numbers[0]}`)).toEqual([numbers[0]]);
    expect(read('')).toEqual([]);
  });

  it('refuses a request without a body', () => {
    expect(() => read(undefined)).toThrow('body is required');
  });

  it.each([
    ['08031234567', 1],
    ['number\n+2348031234567\n+12', 3],
    ['+2348031234567;x', 1],
    ['number\nnumber', 2],
    ['<!doctype html><title>Error</title>', 1],
    ['{"error":"not found"}', 1],
    ['phone_number', 2],
    ['Not Found\n\n', 2],
    ['number\n+2348031234567\n+2290197123456', 3],
  ])('refuses %j and names line %d', (text, line) => {
    expect(() => read(text)).toThrow(`Line ${line} `);
  });
});
