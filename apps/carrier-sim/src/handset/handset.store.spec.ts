import { describe, expect, it } from '@jest/globals';
import { HandsetStore } from './handset.store.js';
import type { HandsetMessage } from './handset.store.js';

function message(to: string, receivedAtMs: number): HandsetMessage {
  return {
    provider: 'twilio',
    to,
    from: 'Acme',
    body: String(receivedAtMs),
    encoding: 'GSM-7',
    segments: 1,
    reference: `SM${receivedAtMs}`,
    receivedAtMs,
  };
}

describe('HandsetStore', () => {
  it('keeps the last messages, oldest first, with its index by number in step', () => {
    const store = new HandsetStore(3);
    for (let time = 1; time <= 5; time++) store.add(message(time % 2 ? '+odd' : '+even', time));
    expect(store.size).toBe(3);
    expect(store.find(undefined, 0).map(({ body }) => body)).toEqual(['3', '4', '5']);
    expect(store.find('+odd', 0).map(({ body }) => body)).toEqual(['3', '5']);
    expect(store.find('+even', 0).map(({ body }) => body)).toEqual(['4']);
    expect(store.find(undefined, 4).map(({ body }) => body)).toEqual(['4', '5']);
    store.clear();
    expect(store.find(undefined, 0)).toEqual([]);
    expect(store.find('+odd', 0)).toEqual([]);
  });
});
