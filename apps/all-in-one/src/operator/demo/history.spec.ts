import { describe, expect, it } from '@jest/globals';
import { newId, type WorkspaceId } from '@watchword/contracts';
import { drawHistory } from './history.js';

const NOW = Date.parse('2026-11-28T12:30:00Z');
const PRICES = new Map([
  ['NG', 5],
  ['KE', 12],
  ['GH', 30],
]);

interface Entry {
  kind: string;
  message_id?: string;
  ordinal: number;
  credits: number;
  balance_after: number;
  created_at: string;
}

const history = drawHistory(newId<WorkspaceId>(), PRICES, NOW);
const entries = history.entries as Entry[];
const messages = history.messages as { id: string; state: string; created_at: string }[];

describe('The week of demo data', () => {
  it('has a message on each of its seven days, and none in the future', () => {
    const days = new Set(messages.map(({ created_at: at }) => at.slice(0, 10)));
    expect(days.size).toBeGreaterThanOrEqual(7);
    expect(messages.every(({ created_at: at }) => Date.parse(at) < NOW)).toBe(true);
  });

  it('has a ledger without gaps in which every balance follows from the one before', () => {
    let balance = 0;
    for (const [index, entry] of entries.entries()) {
      balance += entry.credits;
      expect(entry).toMatchObject({ ordinal: index + 1, balance_after: balance });
    }
    expect(history.balance).toBe(balance);
    expect(entries.map(({ created_at: at }) => at)).toEqual(
      entries.map(({ created_at: at }) => at).toSorted(),
    );
  });

  it('charges each message once and refunds those that failed', () => {
    const of = (kind: string) =>
      entries.filter((entry) => entry.kind === kind).map(({ message_id: id }) => id);
    const failed = messages.filter(({ state }) => state === 'failed').map(({ id }) => id);
    expect(of('charge').toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
    expect(of('refund').toSorted()).toEqual(failed.toSorted());
  });
});
