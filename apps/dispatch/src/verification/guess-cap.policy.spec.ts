import { expect, it } from '@jest/globals';
import { asId, type WorkspaceId } from '@watchword/contracts';
import type { Message } from '../messages/message.js';
import { type GuessCount, GuessTally } from './guess-cap.policy.js';

const at = new Date('2026-11-20T08:00:00.000Z');
const HOUR_MS = 3_600_000;
const message = {
  id: 'm',
  workspaceId: asId<WorkspaceId>('w'),
  destination: '+2348031234567',
  testMode: false,
};
const live = message as Message;
const test = { ...message, testMode: true } as Message;

function tallyOf(wrongCount: number, agoMs = 0): GuessTally {
  const { workspaceId, destination } = message;
  const lastWrongAt = new Date(at.getTime() - agoMs);
  const count: GuessCount = { workspaceId, destination, wrongCount, lastWrongAt };
  return new GuessTally([count], at);
}

it.each([
  [99, 0, null],
  [100, 0, 86_400],
  [101, 0, 86_400],
  [100, 1, 86_400],
  [100, 1_000, 86_399],
  [100, 24 * HOUR_MS - 1, 1],
  [100, 24 * HOUR_MS, null],
  [99, 24 * HOUR_MS, null],
])(
  'a number with %i wrong codes, the last one %i ms ago, is barred for %s s',
  (count, agoMs, seconds) => {
    expect(tallyOf(count, agoMs).barredForSeconds(live)).toBe(seconds);
  },
);

it('a number is barred with its 100th wrong code, and not when a right one came before', () => {
  const tally = tallyOf(98);
  tally.count(live, false);
  expect(tally.barredForSeconds(live)).toBeNull();
  tally.count(live, false);
  expect(tally.barredForSeconds(live)).toBe(86_400);
  const reset = tallyOf(99);
  reset.count(live, true);
  reset.count(live, false);
  expect(reset.barredForSeconds(live)).toBeNull();
});

it('decisions 6: guesses in test mode neither count nor bar a number', () => {
  const tally = tallyOf(100);
  expect(tally.barredForSeconds(test)).toBeNull();
  tally.count(test, false);
  expect(tally.counted()).toEqual([]);
});
