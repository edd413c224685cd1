import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AccountSlots, FULL } from './account-slots.js';
import { capacityOf } from './capacity.js';

const usual = { concurrency: 2, messagesPerSecond: null, waitingMax: 3 };
const hanging = () => new Promise<never>(() => {});
const nothing = hanging();

describe('the slots of an account', () => {
  it('as many calls run as the account has slots, and the next in order of arrival', async () => {
    const slots = new AccountSlots(usual);
    const order: number[] = [];
    const ends: (() => void)[] = [];
    const call = (n: number) =>
      slots.run(() => {
        order.push(n);
        return new Promise<number>((resolve) => ends.push(() => resolve(n)));
      });
    const calls = [1, 2, 3, 4].map(call);
    await Promise.resolve();
    expect(order).toEqual([1, 2]);
    expect(slots.unanswered).toBe(2);
    expect(slots.waitingCount).toBe(2);
    ends[1]?.();
    await calls[1];
    await Promise.resolve();
    expect(order).toEqual([1, 2, 3]);
    for (let n = 0; n < 4; n += 1) {
      for (const end of ends) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(calls)).toEqual([1, 2, 3, 4]);
    expect(slots.unanswered).toBe(0);
  });

  it('a call that finds no slot and no place in the queue is refused at once', async () => {
    const slots = new AccountSlots(usual);
    for (let n = 0; n < 5; n += 1) void slots.run(hanging);
    expect(slots.isFull).toBe(true);
    await expect(slots.run(hanging)).resolves.toBe(FULL);
  });

  it('an account is full again once no call was answered for a second', async () => {
    let nowMs = 0;
    const slots = new AccountSlots(usual, { now: () => nowMs });
    const ends: (() => void)[] = [];
    const call = () => slots.run(() => new Promise<void>((resolve) => ends.push(resolve)));
    const calls = Array.from({ length: 5 }, call);
    expect(slots.isFull).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    ends[0]?.();
    await calls[0];
    const others = Array.from({ length: 20 }, call);
    expect(slots.isFull).toBe(false);
    nowMs += 1_000;
    expect(slots.isFull).toBe(true);
    const full = await Promise.all(others.slice(1).map((other) => Promise.race([other, nothing])));
    expect(full.every((answer) => answer === FULL)).toBe(true);
    slots.close();
  });

  it('no more calls start in a second than the account takes', async () => {
    jest.useFakeTimers();
    const rate = 50;
    const many = { concurrency: 1_000, messagesPerSecond: rate, waitingMax: 1_000 };
    const slots = new AccountSlots(many);
    let started = 0;
    for (let n = 0; n < 30; n += 1) void slots.run(async () => void (started += 1));
    for (const ms of [0, 100, 200, 300, 400]) {
      await jest.advanceTimersByTimeAsync(ms === 0 ? 0 : 100);
      // A tenth of a second's worth goes out at once, the others at the rate.
      expect(started).toBeLessThanOrEqual(rate * 0.1 + (ms / 1_000) * rate);
    }
    await jest.advanceTimersByTimeAsync(200);
    expect(started).toBe(30);
    jest.useRealTimers();
  });

  it('calls that wait are refused when the account is closed', async () => {
    const slots = new AccountSlots({ ...usual, concurrency: 1 });
    void slots.run(hanging);
    const waiting = slots.run(hanging);
    slots.close();
    await expect(waiting).resolves.toBe(FULL);
    await expect(slots.run(async () => 1)).resolves.toBe(FULL);
  });
});

describe('the slots of a recipient domain', () => {
  const perDomain = { concurrency: 3, messagesPerSecond: null, waitingMax: 3, perDomain: 2 };
  let slots: AccountSlots;
  const ends: (() => void)[] = [];
  const call = (domain: string) =>
    slots.run(() => new Promise<string>((resolve) => ends.push(() => resolve(domain))), domain);
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    ends.length = 0;
    slots = new AccountSlots(perDomain);
  });
  afterEach(() => {
    slots.close();
    jest.useRealTimers();
  });

  it('a slow domain takes no more than its slots, and calls to others pass', async () => {
    const slow = Array.from({ length: 4 }, () => call('slow.example'));
    void call('other.example');
    await settled();
    expect(ends).toHaveLength(3);
    expect([slots.unanswered, slots.waitingCount]).toEqual([3, 2]);
    ends[0]!();
    await slow[0];
    await settled();
    expect(ends).toHaveLength(4);
    expect(slots.waitingCount).toBe(1);
  });

  it('a call waits for a slot until it gives up, also where the account is full', async () => {
    let isEnough = false;
    const givesUp = jest.fn(() => isEnough);
    const patient = (domain: string) =>
      slots.run(async () => domain, domain, { timeoutMs: 1_000, givesUp });
    void call('slow.example');
    void call('slow.example');
    const ofDomain = patient('slow.example');
    void call('other.example');
    const ofAccount = patient('another.example');
    jest.advanceTimersByTime(999);
    expect(givesUp).not.toHaveBeenCalled();
    jest.advanceTimersByTime(60_001);
    expect(givesUp).toHaveBeenCalledTimes(2 * 61);
    expect(slots.waitingCount).toBe(2);
    isEnough = true;
    jest.advanceTimersByTime(1_000);
    await expect(Promise.all([ofDomain, ofAccount])).resolves.toEqual([FULL, FULL]);
    expect(slots.waitingCount).toBe(0);
    jest.advanceTimersByTime(60_000);
    expect(givesUp).toHaveBeenCalledTimes(2 * 62);
  });
});

describe('the capacity of an account', () => {
  it('the capacity of an account is its carrier’s unless its settings change it', () => {
    expect(capacityOf(usual, { concurrency: null, messagesPerSecond: null })).toEqual(usual);
    expect(capacityOf(usual, { concurrency: 7, messagesPerSecond: 30 })).toEqual({
      concurrency: 7,
      messagesPerSecond: 30,
      waitingMax: 3,
    });
  });
});
