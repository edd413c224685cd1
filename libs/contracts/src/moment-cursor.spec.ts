import { describe, expect, it } from '@jest/globals';
import { MomentCursor } from './moment-cursor.js';

const id = '0199a000-0000-7000-8000-000000000001';
const cursors = new MomentCursor('sms');
const made = (position: string) => Buffer.from(`sms:${position}`).toString('base64url');

describe('a cursor of a time and an id', () => {
  it.each(['2026-11-23T09:00:00Z', '2026-11-23T09:00:00.123Z', '2026-11-23T09:00:00.123456Z'])(
    'comes back as the position at %s',
    (createdAt) => {
      expect(cursors.read(cursors.after({ createdAt, id }))).toEqual({ createdAt, id });
    },
  );

  it.each([
    ['of another list', new MomentCursor('otp').after({ createdAt: '2026-11-23T09:00:00Z', id })],
    ['without a position', made('')],
    ['of a number', made(`0:${id}`)],
    ['of a day that does not exist', made(`2026-02-30T00:00:00Z:${id}`)],
    ['of the year 0', made(`0000-01-01T00:00:00Z:${id}`)],
    ['of an hour that does not exist', made(`2026-11-23T25:00:00Z:${id}`)],
    ['of half a time', made(`2026-11-23T09Z:${id}`)],
    ['of an id that is none', made(`2026-11-23T09:00:00Z:${'0'.repeat(36)}`)],
    ['of two lines', made(`2026-11-23T09:00:00Z:${id}\n`)],
  ])('is refused when it is %s', (_, text) => {
    expect(cursors.read(text)).toBeUndefined();
  });
});
