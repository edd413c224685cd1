import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CarrierInbound } from '../provider.port.js';
import { InboundParts } from './inbound-parts.js';

let nowMs: number;
let dropped: number;
let parts: InboundParts;

beforeEach(() => {
  [nowMs, dropped] = [0, 0];
  parts = new InboundParts(
    (count) => (dropped += count),
    () => nowMs,
  );
});

const add = (
  number: number,
  body: string,
  { total = 2, reference = 'udh 7', ...message }: Partial<CarrierInbound> & PartOptions = {},
) => {
  const given = { from: '+2348031234567', to: '20880', providerMessageId: null, ...message, body };
  return parts.add(given, { reference, total, number });
};

interface PartOptions {
  total?: number;
  reference?: string;
}

describe('parts of a text', () => {
  it('make it whole in any order, however often they come', () => {
    expect(add(3, 'c', { total: 3 })).toBeNull();
    expect(add(1, 'x', { total: 3 })).toBeNull();
    expect(add(1, 'a', { total: 3 })).toBeNull();
    expect(add(2, 'b', { total: 3 })?.message).toEqual({
      ...{ from: '+2348031234567', to: '20880', providerMessageId: null },
      body: 'abc',
    });
  });

  it('of two halves of a character are one text again', () => {
    const [high, low] = ['\ud83d', '\ude00'];
    add(1, `a${high}`);
    expect(add(2, low)?.message.body).toBe('a\u{1f600}');
  });

  it.each([
    ['another handset', { from: '+2348031234568' }],
    ['another sender', { to: '20881' }],
    ['another reference', { reference: 'sar 7' }],
    ['another number of parts', { total: 3 }],
  ])('of %s are of another text', (_, other) => {
    add(1, 'a');
    expect(add(2, 'b', other)).toBeNull();
    expect(add(2, 'b')?.message.body).toBe('ab');
  });

  it('are kept until the text is on record, so that its last part can come again', () => {
    add(1, 'a');
    expect(add(2, 'b')?.message.body).toBe('ab');
    const again = add(2, 'b');
    expect(again?.message.body).toBe('ab');
    again?.forget();
    expect(parts.size).toBe(0);
    expect(add(2, 'b')).toBeNull();
  });

  it('are forgotten a minute after the latest one', () => {
    add(1, 'a');
    nowMs = 59_999;
    add(3, 'c', { total: 3, reference: 'sar 8' });
    expect(add(2, 'b')).not.toBeNull();
    nowMs += 59_999;
    expect(add(1, 'a', { total: 3, reference: 'sar 8' })).toBeNull();
    nowMs += 60_000;
    expect(add(2, 'b', { total: 3, reference: 'sar 8' })).toBeNull();
    expect([parts.size, dropped]).toEqual([1, 2]);
  });

  it('wait for at most 500 texts: the oldest one makes room', () => {
    for (let text = 0; text <= 500; text += 1) add(1, 'a', { reference: `sar ${text}` });
    expect([parts.size, dropped]).toEqual([500, 1]);
    expect(add(2, 'b', { reference: 'sar 1' })?.message.body).toBe('ab');
    expect(add(2, 'b', { reference: 'sar 0' })).toBeNull();
  });

  it('are at most 20, of 255 characters', () => {
    expect(add(1, 'a', { total: 21 })).toBeNull();
    expect(add(1, 'a'.repeat(256))).toBeNull();
    expect([parts.size, dropped]).toEqual([0, 2]);
  });
});
