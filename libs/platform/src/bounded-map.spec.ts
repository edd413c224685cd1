import { describe, expect, it } from '@jest/globals';
import { BoundedMap } from './bounded-map.js';

describe('BoundedMap', () => {
  it('never holds more than its bound, and holds the latest half of it', () => {
    const map = new BoundedMap<number, string>(100);
    for (let key = 0; key < 1_000; key += 1) {
      map.set(key, `${key}`);
      const held = Array.from({ length: key + 1 }, (_, each) => each).filter(
        (each) => map['young'].has(each) || map['old'].has(each),
      );
      expect(held.length).toBeLessThanOrEqual(100);
    }
    for (let key = 950; key < 1_000; key += 1) expect(map.get(key)).toBe(`${key}`);
    expect(map.get(0)).toBeUndefined();
  });

  it('keeps what is asked for', () => {
    const map = new BoundedMap<string, number>(10);
    map.set('wanted', 1);
    for (let key = 0; key < 100; key += 1) {
      map.set(`other ${key}`, key);
      expect(map.get('wanted')).toBe(1);
    }
  });

  it('has the latest value, and forgets it on request', () => {
    const map = new BoundedMap<string, number>(4);
    for (const value of [1, 2, 3]) {
      for (const key of ['a', 'b', 'c']) map.set(key, value);
    }
    expect(map.get('a') ?? map.get('c')).toBe(3);
    map.deleteWhere((value) => value <= 3);
    for (const key of ['a', 'b', 'c']) expect(map.get(key)).toBeUndefined();
  });
});
