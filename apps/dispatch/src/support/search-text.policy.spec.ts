import { describe, expect, it } from '@jest/globals';
import { readSearchText, readRecipient } from './search-text.policy.js';

describe('The text of a search', () => {
  it.each([
    '+2348031234567',
    '+234 803 123 4567',
    '00234 803-123-4567',
    ' 2348031234567',
    '2348031234567',
    '0803 123 4567',
    '(0803) 1234567',
  ])('an operator finds the messages of a number written as "%s"', (text) => {
    expect(readRecipient(text, 'NG')).toBe('+2348031234567');
  });

  it('an operator finds the messages of an address in any case', () => {
    expect(readRecipient('Ada@Example.com')).toBe('ada@example.com');
  });

  it.each([
    ['0803 123 4567', undefined],
    ['a name', 'NG'],
  ])('"%s" in country %s is refused as no recipient', (text, country) => {
    expect(() => readRecipient(text, country)).toThrow(/to /);
  });

  it('a member finds a message by its id', () => {
    const id = '01890000-0000-7000-8000-000000000000';
    expect(readSearchText(` ${id.toUpperCase()} `, 'NG')).toEqual({ id });
  });
});
