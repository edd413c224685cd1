import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@watchword/contracts';
import { readSendAt } from './send-at.policy.js';

const now = Date.parse('2026-11-22T12:00:00.000Z');

describe('readSendAt', () => {
  it.each([
    [undefined, null],
    ['2026-11-22T13:00:00+01:00', null],
    ['2026-11-22T11:59:00Z', null],
    ['2026-11-22T12:00:01Z', '2026-11-22T12:00:01.000Z'],
    ['2026-11-22t12:00:01z', '2026-11-22T12:00:01.000Z'],
    ['2026-11-22T14:30:00.5+02:00', '2026-11-22T12:30:00.500Z'],
    ['2026-12-22T12:00:00Z', '2026-12-22T12:00:00.000Z'],
  ])('decisions 18: takes %s', (given, due) => {
    expect(readSendAt(given, now)).toBe(due);
  });

  it.each([
    '2026-11-22T11:58:59Z',
    '2026-12-22T12:00:01Z',
    '2026-12-01T09:00:00',
    '2026-12-01',
    '2026-02-30T09:00:00Z',
    'tomorrow',
    '',
  ])('decisions 18: refuses %j', (given) => {
    expect(() => readSendAt(given, now)).toThrow(ApiError);
    try {
      readSendAt(given, now);
    } catch (error) {
      expect(error).toMatchObject({ type: 'validation_error', field: 'send_at' });
    }
  });
});
