import { describe, expect, it } from '@jest/globals';
import { parseDestination } from './e164.js';
import { isFictionalNumber, magicNumber } from './magic-numbers.js';

const RANGES = [
  ['US', '+120255501'],
  ['GB', '+4477009000'],
  ['NG', '+23480300000'],
  ['KE', '+2547120000'],
  ['GH', '+2332400000'],
  ['ZA', '+278200000'],
  ['BJ', '+22901970000'],
  ['CI', '+22507000000'],
] as const;

describe('magicNumber', () => {
  it.each(RANGES)('reads the last two digits of the %s range', (countryCode, start) => {
    expect(['00', '07', '99'].map((digits) => magicNumber(start + digits))).toEqual([0, 7, 99]);
    expect(parseDestination(`${start}42`, { testMode: true })).toMatchObject({
      ok: true,
      destination: { countryCode },
    });
  });

  it.each(['+2348030000100', '+447700900100', '+12025550200', '+234803000001', '+23480300000011'])(
    'is null for %s',
    (number) => expect(magicNumber(number)).toBeNull(),
  );
});

describe('isFictionalNumber', () => {
  it('is true for the US and GB ranges alone', () => {
    const fictional = RANGES.filter(([, start]) => isFictionalNumber(`${start}10`));
    expect(fictional.map(([countryCode]) => countryCode)).toEqual(['US', 'GB']);
  });
});
