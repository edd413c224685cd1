import { describe, expect, it } from '@jest/globals';
import type { Exchange } from '../invariants/client-log.js';
import { reportOutage } from './outage.js';

/** One send every 100 ms, answered after 50, from 0 until 20,000; away from 5,000 until 10,000. */
function exchanges(change: (exchange: Exchange) => Partial<Exchange>): Exchange[] {
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
const outage = { what: 'Kafka gone', from: 5_000, until: 10_000, promise: { sendsGoOn: true } };

describe('an outage in which sends go on', () => {
  it.each<[string, Partial<Exchange>, string[]]>([
    ['nothing fails', {}, []],
    ['sends are refused', { status: 503 }, ['no send was accepted', '50 sends were not answered']],
    ['sends get no answer', { status: null }, ['no send was accepted', '50 sends were not']],
    ['an answer is undocumented', { status: 500 }, ['an answer 500', 'no send', '50 sends']],
  ])('an outage in which sends go on is judged when %s', (_, change, complaints) => {
    const { broken } = reportOutage(
      outage,
      exchanges((one) => (isDuring(one) ? change : {})),
    );
    expect(broken).toEqual(complaints.map((complaint) => expect.stringContaining(complaint)));
  });

  it.each([
    [2, []],
    [3, ['3 sends were not answered as usual']],
  ])(
    'an outage in which sends go on excuses two of %d sends refused beside one that waited as long',
    (refusals, complaints) => {
      const seen = exchanges(({ sentAt }) => {
        if (sentAt === 9_000) return { answeredAt: sentAt + 1_300 };
        const isRefused = sentAt > 9_000 && sentAt <= 9_000 + refusals * 100;
        return isRefused ? { status: 503, answeredAt: sentAt + 1_100 } : {};
      });
      expect(reportOutage(outage, seen).broken).toEqual(complaints);
    },
  );
});
