import { describe, expect, it } from '@jest/globals';
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

describe('the guessing cap', () => {
  it.each([
    [99, 0, null],
    [100, 0, 86_400],
    [101, 0, 86_400],
    [100, 1, 86_400],
    [100, 1_000, 86_399],
    [100, 24 * HOUR_MS - 1, 1],
    [100, 24 * HOUR_MS, null],
    [99, 24 * HOUR_MS, null],
  ])('after %i wrong codes, the last one %i ms ago, bars for %s s', (count, agoMs, seconds) => {
    expect(tallyOf(count, agoMs).barredForSeconds(live)).toBe(seconds);
  });

  it('bars with the 100th, and not when a right one came before it', () => {
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

  it('decisions 6: neither counts nor bars in test mode', () => {
    const tally = tallyOf(100);
    expect(tally.barredForSeconds(test)).toBeNull();
    tally.count(test, false);
    expect(tally.counted()).toEqual([]);
  });
});
