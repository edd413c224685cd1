import { expect, it } from '@jest/globals';
import { periodOf } from './period.policy.js';

const NOW_MS = Date.parse('2026-11-08T00:00:00Z');

it.each([
  ['hour', { from: '2026-11-01T10:20:00Z', to: '2026-11-01T11:40:00Z' }, '01T10', '01T12'],
  ['day', { from: '2026-11-01T10:20:00Z', to: '2026-11-02T01:00:00Z' }, '01T00', '03T00'],
  ['hour', {}, '01T00', '08T00'],
] as const)('an overview by %s of %j covers whole hours or days', (interval, query, from, to) => {
  const period = periodOf(query, interval, NOW_MS);
  expect(period).toMatchObject({
    from: new Date(`2026-11-${from}:00:00Z`),
    to: new Date(`2026-11-${to}:00:00Z`),
  });
  const length = period.to.getTime() - period.from.getTime();
  expect(period.from.getTime() - period.before.getTime()).toBe(length);
});

it.each([
  { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' },
  { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' },
  { from: '1066-10-14' },
  { from: 'yesterday' },
])('the period %j is refused', (query) => {
  const refusal = { type: 'validation_error', field: 'from' };
  expect(() => periodOf(query, 'hour', NOW_MS)).toThrow(expect.objectContaining(refusal));
});
