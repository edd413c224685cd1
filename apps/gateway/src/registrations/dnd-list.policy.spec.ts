import { describe, expect, it } from '@jest/globals';
import { readDndList } from './dnd-list.policy.js';

describe('readDndList', () => {
  it('takes numbers with or without a header, quotes and empty lines', () => {
    const numbers = ['+2348031234567', '+2348031234568'];
    expect(readDndList(numbers.join('\n'))).toEqual(numbers);
    expect(readDndList(`\ufeffphone_number\r\n"${numbers[0]}"\r\n\r\n${numbers[1]}\r\n`)).toEqual(
      numbers,
    );
    expect(readDndList('')).toEqual([]);
  });

  it('refuses a request without a body', () => {
    expect(() => readDndList(undefined)).toThrow('body is required');
  });

  it.each([
    ['08031234567', 1],
    ['number\n+2348031234567\n+12', 3],
    ['+2348031234567;x', 1],
    ['number\nnumber', 2],
  ])('refuses %j and names line %d', (text, line) => {
    expect(() => readDndList(text)).toThrow(`Line ${line} `);
  });
});
