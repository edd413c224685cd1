import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isMoment, readMoment, timeOrNull, timeText } from './moment.js';

describe('a moment', () => {
  it.each([
    '2026-11-21',
    '2028-02-29',
    '2026-11-21T10:00:00.123Z',
    '0001-01-01',
    '9999-12-31T23:59:59.999Z',
    '2026-11-21t10:00:00z',
    '2026-11-21T10:00:00+01:00',
  ])('%s is one', (text) => expect(isMoment(text)).toBe(true));

  it.each([
    '2026-02-30',
    '2027-02-29',
    '2026-13-01',
    '0000-01-01',
    '0000-12-31T23:59:59Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T10:00:60Z',
    '2026-11-21T10:00:00+24:00',
    '2026-11-21T10:00:00',
    '2026-11-21 (today)',
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+01:00',
    'now',
    '',
  ])('%s is none', (text) => expect(isMoment(text)).toBe(false));
});

describe('a moment as clients write it', () => {
  it.each([
    ['Python strftime %z', '2026-11-21T10:00:00.250000+0000'],
    ['Python str()', '2026-11-21 10:00:00.250000+00:00'],
    ['chrono Display, as progenitor 0.15.1 sends it', '2026-11-21 10:00:00.250 UTC'],
    ['chrono Display with an offset', '2026-11-21 11:00:00.250 +01:00'],
    ['Ruby Time#to_s', '2026-11-21 11:00:00.25 +0100'],
    ['Ruby Time#to_s with its plus unescaped', '2026-11-21 11:00:00.25  0100'],
    ['PHP ATOM with its plus unescaped', '2026-11-21T11:00:00.25 01:00'],
    ['a plus unescaped before hours alone', '2026-11-21T11:00:00.25 01'],
    ['a comma before the fraction', '2026-11-21T10:00:00,250Z'],
    ['nanoseconds', '2026-11-21T10:00:00.250000000Z'],
    ['the basic form', '20261121T100000.25Z'],
    ['hours alone in the offset', '2026-11-21T05:00:00.25-05'],
    ['the minus of typography', '2026-11-21T05:00:00.25\u221205:00'],
  ])('of %s is read', (_, text) =>
    expect(readMoment(text)?.toISOString()).toBe('2026-11-21T10:00:00.250Z'),
  );

  it.each(['202611-21', '2026-1121', '20261121T1000', '2026-11-21T10:00:00 EST', '2026-11-21T10Z'])(
    'is not guessed: %s',
    (text) => expect(readMoment(text)).toBeNull(),
  );
});

describe('the text of a time', () => {
  it('is that of JavaScript, also from one day to the next and for years of six digits', () => {
    const near = fc.integer({ min: -3 * 86_400_000, max: 3 * 86_400_000 });
    const times = fc.oneof(
      fc.date({ noInvalidDate: true }),
      near.map((ms) => new Date(ms)),
    );
    fc.assert(fc.property(times, (time) => timeText(time) === time.toISOString()));
  });

  it('is none without a time', () => {
    expect(timeOrNull(null)).toBeNull();
    expect(() => timeText(new Date(Number.NaN))).toThrow(RangeError);
  });
});
