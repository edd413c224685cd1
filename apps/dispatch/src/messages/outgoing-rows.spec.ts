import { describe, expect, it } from '@jest/globals';
import { asId } from '@watchword/contracts';
import { outgoingOf } from './outgoing-rows.js';

const row = (payload: object) =>
  outgoingOf([
    {
      message: { id: asId('message') },
      outgoing: [{ topic: 'topic', key: 'key', id: 'id', type: 'type', time: new Date(), payload }],
    },
  ])[0]!;

describe('rows of the queue', () => {
  it('have what their text was made of, for consumers of this process', () => {
    const payload = { body: 'tab\t, both \ud83d\ude00' };
    expect(row(payload).value).toBe(payload);
    expect(JSON.parse(row(payload).payload)).toEqual(payload);
  });

  it('have only their text where that has lost characters', () => {
    const { value, payload } = row({ body: 'a\u0000b' });
    expect(value).toBeUndefined();
    expect(JSON.parse(payload)).toEqual({ body: 'a\ufffdb' });
  });
});
