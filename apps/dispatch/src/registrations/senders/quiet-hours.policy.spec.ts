import { expect, it } from '@jest/globals';
import type { QuietHours } from '@watchword/contracts';
import { quietUntil } from './quiet-hours.policy.js';

const LAGOS: QuietHours = {
  time_zone: 'Africa/Lagos',
  windows: [{ from: '20:00', to: '08:00' }],
};
const ACCRA: QuietHours = {
  time_zone: 'Africa/Accra',
  windows: [
    { from: '19:00', to: '08:00' },
    { from: '00:00', to: '24:00', days: ['sun'] },
  ],
};
const LONDON: QuietHours = {
  time_zone: 'Europe/London',
  windows: [{ from: '21:00', to: '08:00' }],
};

it.each<[string, QuietHours, string, string | null]>([
  ['in the evening', LAGOS, '2026-11-26T19:00:00Z', '2026-11-27T07:00:00.000Z'],
  ['after midnight', LAGOS, '2026-11-27T03:10:20.5Z', '2026-11-27T07:00:00.000Z'],
  ['in the last minute', LAGOS, '2026-11-27T06:59:59Z', '2026-11-27T07:00:00.000Z'],
  ['at their end', LAGOS, '2026-11-27T07:00:00Z', null],
  ['right before they begin', LAGOS, '2026-11-26T18:59:59Z', null],
  ['at noon', LAGOS, '2026-11-26T11:00:00Z', null],
  // 2026-11-28 is a Saturday.
  ['over a quiet Sunday', ACCRA, '2026-11-28T19:30:00Z', '2026-11-30T08:00:00.000Z'],
  ['on Sunday at noon', ACCRA, '2026-11-29T12:00:00Z', '2026-11-30T08:00:00.000Z'],
  ['on Saturday at noon', ACCRA, '2026-11-28T12:00:00Z', null],
  // The clocks go back on 2026-10-25 at 01:00 UTC, and forward on 2026-03-29.
  ['when summer time ends', LONDON, '2026-10-24T20:30:00Z', '2026-10-25T08:00:00.000Z'],
  ['when summer time begins', LONDON, '2026-03-28T22:00:00Z', '2026-03-29T07:00:00.000Z'],
])('quiet hours: %s', (_, hours, at, until) => {
  expect(quietUntil(hours, new Date(at))?.toISOString() ?? null).toBe(until);
});

it.each([
  ['America/New_York', '21:00', '02:30', '2026-03-08T06:45:00Z', '2026-03-08T07:30:00.000Z'],
  ['Europe/London', '21:00', '01:00', '2026-03-29T00:30:00Z', '2026-03-29T01:00:00.000Z'],
  ['Europe/London', '21:00', '01:00', '2026-03-28T22:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['Africa/Cairo', '20:00', '24:00', '2026-04-23T21:15:00Z', '2026-04-23T22:00:00.000Z'],
  ['Africa/Cairo', '20:00', '24:00', '2026-04-23T19:00:00Z', '2026-04-23T22:00:00.000Z'],
])(
  'quiet hours end later when the clock of %s skips their end: %s to %s',
  (timeZone, from, to, at, until) => {
    const hours = { time_zone: timeZone, windows: [{ from, to }] };
    expect(quietUntil(hours, new Date(at))?.toISOString()).toBe(until);
  },
);

it('quiet hours hold on their own days, over midnight too', () => {
  const windows: QuietHours['windows'] = [{ from: '22:00', to: '06:00', days: ['fri'] }];
  const hours = { time_zone: 'Africa/Accra', windows };
  // 2026-11-27 is a Friday.
  const until = (at: string) => quietUntil(hours, new Date(at))?.toISOString() ?? null;
  expect(until('2026-11-27T05:00:00Z')).toBeNull();
  expect(until('2026-11-28T05:00:00Z')).toBe('2026-11-28T06:00:00.000Z');
  expect(until('2026-11-28T23:00:00Z')).toBeNull();
});

it('quiet hours of whole days still end', () => {
  const hours: QuietHours = { time_zone: 'UTC', windows: [{ from: '00:00', to: '24:00' }] };
  const at = new Date('2026-11-27T05:00:00Z');
  expect(quietUntil(hours, at)!.getTime()).toBeGreaterThan(at.getTime());
});
