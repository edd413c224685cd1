import { describe, expect, it, jest } from '@jest/globals';
import { type Counter, MemoryRateLimiter, type RateLimiter } from '@watchword/rate-limit';
import { FakeClock } from '@watchword/testing';
import { CountedLookUps } from './counted-lookups.js';

const address: Counter = { key: 'ip:anonymous:192.0.2.1', limit: 10, windowSeconds: 60 };

/** Counts as Redis does: with a turn of the event loop before each answer. */
function later(limiter: MemoryRateLimiter): RateLimiter {
  const soon = async <Result>(act: () => Result) => {
    await new Promise(setImmediate);
    return act();
  };
  return {
    take: (counters) => soon(() => limiter.take(counters)),
    giveBack: (counters) => soon(() => limiter.giveBack(counters)),
    close: () => limiter.close(),
  };
}

describe.each(['at once', 'later'])('look-ups counted by a limiter that answers %s', (when) => {
  const open = () => {
    const memory = new MemoryRateLimiter({ clock: new FakeClock(0) });
    const lookUps = new CountedLookUps<string>(when === 'later' ? later(memory) : memory);
    const database = jest.fn(async (credential: string) =>
      credential.startsWith('valid') ? `caller of ${credential}` : null,
    );
    const find = (credential: string, counter = address) =>
      lookUps.find(credential, counter, () => database(credential));
    const counted = () => {
      const verdict = memory.take([{ ...address, limit: 1_000 }]);
      memory.giveBack([address]);
      return verdict.admitted ? 999 - (verdict.remaining[0] ?? 0) : 1_000;
    };
    return { find, database, counted };
  };

  it('looks no more unknown credentials up than the limit admits, however they come', async () => {
    const { find, database, counted } = open();
    for (let index = 0; index < 5; index += 1) await find(`one by one ${index}`);
    const many = Array.from({ length: 100 }, (_, index) => find(`together ${index}`));
    const outcomes = await Promise.all(many);
    expect(database).toHaveBeenCalledTimes(10);
    expect(outcomes.filter(({ verdict }) => verdict?.admitted)).toHaveLength(5);
    expect(outcomes.filter(({ verdict }) => verdict?.admitted === false)).toHaveLength(95);
    expect(counted()).toBe(10);
  });

  it('counts no valid credential, though a thousand requests bring it at once', async () => {
    const { find, counted } = open();
    const outcomes = await Promise.all(Array.from({ length: 1_000 }, () => find('valid')));
    for (const outcome of outcomes) expect(outcome).toEqual({ found: 'caller of valid' });
    expect(counted()).toBe(0);
  });

  it('admits a credential that was valid lately from an address over its limit', async () => {
    const { find } = open();
    await find('valid');
    for (let index = 0; index < 20; index += 1) await find(`unknown ${index}`);
    expect(await find('valid')).toEqual({ found: 'caller of valid' });
    expect((await find('valid, but new')).verdict?.admitted).toBe(false);
  });

  it('looks a valid credential up each time, and counts it when it has ended', async () => {
    const { find, database, counted } = open();
    await find('valid');
    database.mockResolvedValue(null);
    expect(await find('valid')).toEqual({ found: null });
    expect(database).toHaveBeenCalledTimes(2);
    expect(counted()).toBe(0);
  });
});
