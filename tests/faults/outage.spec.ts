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

  describe('on a machine that stands still, while another send waits as long and is accepted', () => {
    /** One send waits from 9.8 s on, and this many beside it are refused. */
    function standstill(more: {
      refusals: number;
      tookMs?: number;
      from?: number;
      other?: number;
    }) {
      const { refusals, tookMs = 1_100, from = 9_900, other = 200 } = more;
      const seen = exchanges(({ sentAt }) => {
        if (sentAt === 9_800) return { status: other, answeredAt: sentAt + 1_300 };
        const isRefused = sentAt >= from && sentAt < from + refusals * 100;
        return isRefused ? { status: 503, answeredAt: sentAt + tookMs } : {};
      });
      const promise = { sendsGoOn: true };
      const outage = { what: 'webhooks killed', from: 1_000, until: 20_000, promise };
      return reportOutage(outage, seen, { from: 0, until: 1_000 });
    }

    it('two may be refused, and it is said', () => {
      const { broken, sentence } = standstill({ refusals: 2 });
      expect(broken).toEqual([]);
      expect(sentence).toContain('2 answers 5xx (2 to sends, 2 excused)');
    });

    it.each([
      ['three', { refusals: 3 }],
      ['one that is refused sooner', { refusals: 1, tookMs: 900 }],
      ['one that is refused at another time', { refusals: 1, from: 5_000 }],
      ['one, when the other is not accepted either', { refusals: 1, other: 429 }],
    ])('%s may not', (_, more) => {
      expect(standstill(more).broken).toEqual([
        `${more.refusals} sends were not answered as usual`,
      ]);
    });
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
