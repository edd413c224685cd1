import { expect, it } from '@jest/globals';
import { isAnomalous, onFlag, type PrefixRecord } from './prefix-anomaly.policy.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FIRST = new Date('2026-01-05T09:00:00.000Z');
const later = (milliseconds: number) => new Date(FIRST.getTime() + milliseconds);

it.each([
  // At least 30.
  [29, 0, 0, false],
  [30, 0, 0, true],
  [31, 0, 0, true],
  // Fewer than 20 % verified.
  [30, 5, 0, true],
  [30, 6, 0, false],
  [30, 7, 0, false],
  [100, 19, 0, true],
  [100, 20, 0, false],
  [101, 20, 0, true],
  // At least three times the usual volume: 1680 in 168 hours is 10 an hour.
  [30, 0, 1_680, true],
  [30, 0, 1_681, false],
  [29, 0, 1_624, false],
  [31, 0, 1_681, true],
  [300, 0, 16_800, true],
  [299, 0, 16_800, false],
])(
  '8: a prefix with %i sent, %i verified and %i in the week before is flagged: %p',
  (otps, verified, otpsBefore, expected) => {
    expect(isAnomalous({ otps, verified, otpsBefore })).toBe(expected);
  },
);

const throttled: PrefixRecord = {
  state: 'throttled',
  firstFlaggedAt: FIRST,
  endsAt: later(HOUR_MS),
};

it('8: the first flag of a prefix throttles it for an hour', () => {
  expect(onFlag(null, FIRST)).toEqual(throttled);
});

it.each([5 * MINUTE_MS, HOUR_MS - 1])(
  'decisions 6: a second flag changes nothing while the prefix is throttled, %i ms later',
  (after) => {
    expect(onFlag(throttled, later(after))).toBeNull();
  },
);

it.each([HOUR_MS, 24 * HOUR_MS - 1])(
  'decisions 6: a second flag within a day, %i ms later, blocks the prefix',
  (after) => {
    expect(onFlag(throttled, later(after))).toEqual({
      state: 'blocked',
      firstFlaggedAt: FIRST,
      endsAt: null,
    });
  },
);

it('decisions 6: a flag a day later counts as a first one', () => {
  const at = later(24 * HOUR_MS);
  expect(onFlag(throttled, at)).toMatchObject({ state: 'throttled', firstFlaggedAt: at });
});

it('a flag changes nothing while the prefix is blocked', () => {
  const blocked: PrefixRecord = { state: 'blocked', firstFlaggedAt: FIRST, endsAt: null };
  expect(onFlag(blocked, later(240 * HOUR_MS))).toBeNull();
});
