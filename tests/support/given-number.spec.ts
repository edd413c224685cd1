import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { givenNumber } from './given-number.js';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Returns the message with which it ends the program. */
function refusalOf(text: string, least?: number): string {
  jest.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with ${String(code)}`);
  });
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(() => givenNumber('--kills', text, least)).toThrow('ended with 1');
  return String(said.mock.lastCall?.[0]);
}

describe('a number that was given', () => {
  it.each([
    ['20', 20],
    ['0', 0],
    ['2.5', 2.5],
  ])('%s is taken', (text, value) => {
    expect(givenNumber('--kills', text)).toBe(value);
  });

  it.each(['x', '', ' ', '2x', 'NaN', 'Infinity', '-1'])('%j ends the program', (text) => {
    const said = refusalOf(text);
    expect(said).toBe(`--kills must be a number of at least 0, not ${JSON.stringify(text)}`);
  });

  it('ends the program when it is too small', () => {
    expect(refusalOf('0', 1)).toContain('at least 1');
  });
});
