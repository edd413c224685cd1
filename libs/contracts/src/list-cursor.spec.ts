import { describe, expect, it } from '@jest/globals';
import { ID_POSITION, ListCursor } from './list-cursor.js';

const id = '0199a000-0000-7000-8000-000000000001';
const cursor = new ListCursor('delivery', ID_POSITION);

describe('a cursor', () => {
  it('comes back as the position that it was made of', () => {
    expect(cursor.read(cursor.after(id))).toBe(id);
  });

  it('does not show its path to visitors', () => {
    expect(cursor.after(id)).not.toContain(id);
  });

  it.each([
    ['nothing', ''],
    ['no text in base64', '%%%'],
    ['without a position', cursor.after('')],
    ['of a position that is none', cursor.after(`${id}0`)],
    ['of another list', new ListCursor('message', ID_POSITION).after(id)],
    ['the position alone', Buffer.from(id).toString('base64url')],
  ])('is none of this list when it is %s', (_, text) => {
    expect(cursor.read(text)).toBeUndefined();
  });
});
