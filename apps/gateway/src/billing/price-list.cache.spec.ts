import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PriceListVersion } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import { PublicPriceListCache } from './price-list.cache.js';

const listOf = (version: number): PriceListVersion => ({
  version,
  updated_at: '2026-01-05T09:00:00.000Z',
  list: { credit_price: { amount: 100, currency: 'NGN' }, default_credits: 120, countries: {} },
});

/** Billing that answers when the test says so. */
class SlowBilling {
  readonly asked: { answer: (list: PriceListVersion) => void; fail: (error: Error) => void }[] = [];

  getPriceList(): Promise<PriceListVersion> {
    return new Promise((answer, fail) => this.asked.push({ answer, fail }));
  }
}

let billing: SlowBilling;
let clock: FakeClock;
let cache: PublicPriceListCache;

beforeEach(() => {
  billing = new SlowBilling();
  clock = new FakeClock(0);
  cache = new PublicPriceListCache(billing, clock);
});

/** Asks, lets billing answer with this version, and returns the served one. */
async function served(version: number): Promise<number> {
  const before = billing.asked.length;
  const list = cache.get();
  expect(billing.asked).toHaveLength(before + 1);
  billing.asked.at(-1)?.answer(listOf(version));
  return (await list).version;
}

describe('the price list of a gateway', () => {
  it('asks once for all waiting callers, and keeps the answer for a minute', async () => {
    const both = [cache.get(), cache.get()];
    billing.asked[0]?.answer(listOf(1));
    expect((await Promise.all(both)).map(({ version }) => version)).toEqual([1, 1]);
    clock.advance(59_999);
    expect((await cache.get()).version).toBe(1);
    expect(billing.asked).toHaveLength(1);
    clock.advance(1);
    expect(await served(2)).toBe(2);
  });

  it('does not hold what it asked for before the list was replaced', async () => {
    const early = cache.get();
    cache.replaced();
    expect(await served(2)).toBe(2);
    billing.asked[0]?.answer(listOf(1));
    expect((await early).version).toBe(1);
    expect((await cache.get()).version).toBe(2);
    expect(billing.asked).toHaveLength(2);
  });

  it('shows the last one while billing is away, and asks again within a second', async () => {
    expect(await served(1)).toBe(1);
    clock.advance(60_000);
    const list = cache.get();
    billing.asked.at(-1)?.fail(new Error('away'));
    expect((await list).version).toBe(1);
    clock.advance(999);
    expect((await cache.get()).version).toBe(1);
    expect(billing.asked).toHaveLength(2);
    clock.advance(1);
    expect(await served(2)).toBe(2);
  });
});
