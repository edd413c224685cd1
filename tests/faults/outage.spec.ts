import { describe, expect, it } from '@jest/globals';
import type { Exchange } from '../invariants/client-log.js';
import { type OutagePromise, reportOutage } from './outage.js';

/** One send every 100 ms, answered after 50, from 0 until 20,000; away from 5,000 until 10,000. */
function exchanges(change: (exchange: Exchange) => Partial<Exchange> = () => ({})): Exchange[] {
  return Array.from({ length: 200 }, (_, ordinal) => {
    const exchange: Exchange = {
      workspaceId: 'w',
      operation: 'sms_send',
      idempotencyKey: String(ordinal),
      body: '{}',
      destination: '+2348030000000',
      sentAt: ordinal * 100,
      answeredAt: ordinal * 100 + 50,
      status: 200,
      answer: '{}',
      replayed: false,
    };
    return { ...exchange, ...change(exchange) };
  });
}

const isDuring = ({ sentAt }: Exchange) => sentAt >= 5_000 && sentAt < 10_000;

function brokenOf(promise: OutagePromise, seen: Exchange[]): string[] {
  const outage = { what: 'Kafka gone', from: 5_000, until: 10_000, promise };
  return reportOutage(outage, seen, { from: 0, until: 5_000 }).broken;
}

describe('what is promised of an outage', () => {
  const all = { sendsGoOn: true, refusedWithinMs: 1_000, recoveredWithinMs: 1_000 };

  it('is kept when nobody notices anything', () => {
    expect(brokenOf(all, exchanges())).toEqual([]);
  });

  it.each([
    ['a send is refused', { status: 503 }, ['50 sends were not answered as usual', '0.0 sends/s']],
    ['a send gets no answer', { status: null }, ['50 sends were not answered', '0.0 sends/s']],
    ['sends are refused for the sender', { status: 429 }, ['0.0 sends/s accepted, 9.9 before']],
    ['an answer is none of the documented', { status: 500 }, ['an answer 500', '50 sends', '0.0']],
  ])('is broken when %s', (_, change, complaints) => {
    const broken = brokenOf(
      all,
      exchanges((one) => (isDuring(one) ? change : {})),
    );
    expect(broken).toEqual(complaints.map((complaint) => expect.stringContaining(complaint)));
  });

  it.each([
    ['what was promised', 50, 1_000],
    ['what the slowest answer took before, where that is longer', 1_200, 1_200],
  ])('has no more time than %s', (_, usualMs, maxMs) => {
    const refusedAfter = (ms: number) =>
      exchanges((one) => {
        if (isDuring(one)) return { status: 503, answeredAt: one.sentAt + ms };
        return one.sentAt === 1_000 ? { answeredAt: one.sentAt + usualMs } : {};
      });
    const promise = { refusedWithinMs: 1_000 };
    expect(brokenOf(promise, refusedAfter(maxMs))).toEqual([]);
    const complaint = `a refusal took ${maxMs + 1} ms, not ${maxMs}`;
    expect(brokenOf(promise, refusedAfter(maxMs + 1))).toEqual([complaint]);
  });

  it.each([
    [
      'one of a hundred is refused after a second, as another waits to be accepted',
      1,
      1_100,
      200,
      [],
    ],
    ['more of them are', 2, 1_100, 200, ['2 sends were not answered as usual']],
    ['one is refused sooner', 1, 900, 200, ['1 sends were not answered as usual']],
    ['no other has waited as long', 1, 1_100, 429, ['1 sends were not answered as usual']],
    ['one gets no answer', 0, 1_100, null, ['1 sends were not answered as usual']],
  ])('on a machine that stands still, when %s', (_, refusals, tookMs, other, complaints) => {
    const seen = exchanges(({ sentAt }) => {
      if (sentAt === 9_800) return { status: other, answeredAt: sentAt + 1_100 };
      const isRefused = sentAt >= 6_000 && sentAt < 6_000 + refusals * 100;
      return isRefused ? { status: 503, answeredAt: sentAt + tookMs } : {};
    });
    const outage = {
      what: 'webhooks killed',
      from: 1_000,
      until: 20_000,
      promise: { sendsGoOn: true },
    };
    expect(reportOutage(outage, seen, { from: 0, until: 1_000 }).broken).toEqual(complaints);
  });

  it('is broken when the first send is accepted late', () => {
    const slow = exchanges(({ sentAt }) =>
      sentAt >= 5_000 && sentAt < 12_000 ? { status: 503 } : {},
    );
    expect(brokenOf({ recoveredWithinMs: 1_000 }, slow)).toEqual([
      'a send was accepted after 2050 ms, not 1000',
    ]);
  });
});
