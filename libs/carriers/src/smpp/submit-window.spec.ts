import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { SubmitWindow } from './submit-window.js';

const THROTTLED = 0x58;
const ACCEPTED = 0;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Enters this many times. Returns how many have a place. */
async function enter(window: SubmitWindow, count: number): Promise<() => number> {
  let inside = 0;
  for (let index = 0; index < count; index += 1) {
    void window.enter(60_000).then((hasPlace) => (inside += hasPlace ? 1 : 0));
  }
  await jest.advanceTimersByTimeAsync(0);
  return () => inside;
}

it('admits as many as it holds, and the next in order as places come free', async () => {
  const window = new SubmitWindow(2);
  const inside = await enter(window, 4);
  expect(inside()).toBe(2);
  window.leave(ACCEPTED);
  await jest.advanceTimersByTimeAsync(0);
  expect(inside()).toBe(3);
  window.leave(null);
  await jest.advanceTimersByTimeAsync(0);
  expect(inside()).toBe(4);
});

it('is halved by a throttling, once in a second, and grows with each acceptance', async () => {
  const window = new SubmitWindow(8);
  const inside = await enter(window, 20);
  for (let count = 0; count < 4; count += 1) window.leave(THROTTLED);
  await jest.advanceTimersByTimeAsync(0);
  // Four places are left of eight, and they are taken.
  expect(inside()).toBe(8);
  window.leave(ACCEPTED);
  await jest.advanceTimersByTimeAsync(0);
  // One place came free, and one was given back.
  expect(inside()).toBe(10);
  await jest.advanceTimersByTimeAsync(1_000);
  for (let count = 0; count < 3; count += 1) window.leave(THROTTLED);
  await jest.advanceTimersByTimeAsync(0);
  expect(inside()).toBe(10);
});

it('turns away what has waited too long, and what waits when the session ends', async () => {
  const window = new SubmitWindow(1);
  void window.enter(1);
  const late = window.enter(1_000);
  await jest.advanceTimersByTimeAsync(1_000);
  await expect(late).resolves.toBe(false);
  const waiting = window.enter(1_000);
  window.close();
  await expect(waiting).resolves.toBe(false);
  await expect(window.enter(1_000)).resolves.toBe(false);
});
