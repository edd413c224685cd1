import { beforeEach, expect, it } from '@jest/globals';
import { renderMetrics } from '@watchword/observability';
import { countHops } from './measurements.js';
import type { Message } from './message.js';

const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1_000);

const born = {
  content: { kind: 'sms' },
  testMode: false,
  state: 'accepted',
  reason: null,
  createdAt: at(0),
  sendAt: null,
  sentAt: null,
  deliveredAt: null,
  verifiedAt: null,
  endedAt: null,
} as unknown as Message;

async function shown(pattern: RegExp): Promise<Map<string, number>> {
  const lines = (await renderMetrics()).split('\n').filter((line) => pattern.test(line));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
}

const pattern = /^watchword_(?:messages_total|time_to_\w+_(?:count|sum))\{/;
let before: Map<string, number>;

beforeEach(async () => {
  before = await shown(pattern);
});

/** Rounded: sums of other files of this worker stand before it. */
async function rises(): Promise<Record<string, number>> {
  const after = await shown(pattern);
  const risen = [...after].map(
    ([name, value]) => [name, Number((value - (before.get(name) ?? 0)).toFixed(6))] as const,
  );
  return Object.fromEntries(risen.filter(([, value]) => value !== 0));
}

it('states of live messages are counted once, with the time from acceptance', async () => {
  const sent: Message = { ...born, state: 'sent', sentAt: at(0.5) };
  const delivered: Message = { ...sent, state: 'delivered', deliveredAt: at(3) };
  countHops(null, born);
  countHops(born, sent);
  countHops(sent, { ...sent, updatedAt: at(1) });
  countHops(sent, delivered);
  expect(await rises()).toEqual({
    'watchword_messages_total{kind="sms",state="sent",reason=""}': 1,
    'watchword_messages_total{kind="sms",state="delivered",reason=""}': 1,
    'watchword_time_to_carrier_seconds_count{kind="sms"}': 1,
    'watchword_time_to_carrier_seconds_sum{kind="sms"}': 0.5,
    'watchword_time_to_delivery_seconds_count{kind="sms"}': 1,
    'watchword_time_to_delivery_seconds_sum{kind="sms"}': 3,
  });
});

it('states of live messages are not counted in test mode', async () => {
  countHops({ ...born, testMode: true }, { ...born, testMode: true, sentAt: at(1) });
  expect(await rises()).toEqual({});
});
