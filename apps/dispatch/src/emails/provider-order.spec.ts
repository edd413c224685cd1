import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EmailOutcome } from '@watchword/carriers';
import { createLogger, renderMetrics } from '@watchword/observability';
import { FakeClock } from '@watchword/testing';
import { noteEmailSubmit } from './measurements.js';
import { ProviderOrder } from './provider-order.js';

const ACCEPTED: EmailOutcome = { outcome: 'accepted', providerMessageId: null, delivered: false };
const REFUSED: EmailOutcome = {
  outcome: 'refused',
  temporary: false,
  rawCode: '535',
  rawMessage: 'Wrong password of relay@example.com',
};
const DEFERRED: EmailOutcome = { outcome: 'deferred', rawCode: '451', rawMessage: null };

let lines: object[];
let order: ProviderOrder;
let clock: FakeClock;

beforeEach(() => {
  lines = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as object) };
  const logger = createLogger({ service: 'dispatch', level: 'warn' }, destination);
  clock = new FakeClock(0);
  const accounts = ['smtp', 'ses'].map((name) => ({ name, carrier: name }));
  order = new ProviderOrder(accounts, clock, logger);
});

async function shown(series: string): Promise<number> {
  const line = (await renderMetrics()).split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.split(' ').at(-1));
}

const circuit = (account: string) => shown(`watchword_carrier_circuit_open{account="${account}"}`);

const note = (name: string, outcome: EmailOutcome, atMs: number) => {
  clock.advance(atMs - clock.now());
  order.note(name, outcome);
};
const best = (atMs: number) => {
  clock.advance(atMs - clock.now());
  return order.providers().best;
};
const shownOf = (name: string) => order.list().find(({ id }) => id === name);

describe('a provider that refuses five times in a row', () => {
  beforeEach(() => {
    for (let at = 0; at < 5; at += 1) note('smtp', REFUSED, at);
  });

  it('goes last until it has rested', () => {
    expect(best(5)).toEqual(['ses', 'smtp']);
    expect(best(15_004)).toEqual(['smtp', 'ses']);
  });

  it('is shown and logged as an open circuit until it takes an email', async () => {
    expect([await circuit('smtp'), await circuit('ses')]).toEqual([1, 0]);
    expect(shownOf('smtp')).toEqual({
      ...{ id: 'smtp', carrier: 'smtp', state: 'active', preferred_in: [] },
      ...{ circuit: 'open', reason: '535', submits_per_minute: 5, failed_share: 1 },
    });
    clock.advance(15_000);
    expect(shownOf('smtp')).toMatchObject({ circuit: 'probing', reason: '535' });
    note('smtp', ACCEPTED, 20_000);
    expect(await circuit('smtp')).toBe(0);
    expect(shownOf('smtp')).toMatchObject({ circuit: 'closed', reason: null });
    expect(lines).toEqual([
      expect.objectContaining({ level: 'warn', provider: 'smtp', fault: '535' }),
      expect.objectContaining({ level: 'warn', msg: 'provider circuit opened' }),
      expect.objectContaining({ level: 'warn', msg: 'provider circuit closed' }),
    ]);
  });

  it('is not shown as open while it is drained, and gets no email', async () => {
    order.follow(new Map([['smtp', { state: 'drained', preferredIn: [] }]]));
    expect(await circuit('smtp')).toBe(0);
    expect(shownOf('smtp')).toMatchObject({ state: 'drained' });
    expect(order.providers()).toMatchObject({ best: ['ses'], drained: ['smtp'] });
    order.follow(new Map());
    expect(await circuit('smtp')).toBe(1);
  });
});

it('the first fault is logged, and the next one a minute later', () => {
  for (const at of [0, 1_000, 59_999, 60_000]) note('ses', REFUSED, at);
  const told = expect.objectContaining({ msg: 'email provider failed', provider: 'ses' });
  expect(lines).toEqual([told, told]);
});

it('a refusal of the recipient is not the fault of the provider', () => {
  for (let at = 0; at < 5; at += 1) note('smtp', DEFERRED, at);
  expect(best(5)).toEqual(['smtp', 'ses']);
  expect(lines).toEqual([]);
});

it('attempts are counted by account, from 0', async () => {
  const series = 'watchword_attempts_total{account="ses",outcome="failed"}';
  const before = await shown(series);
  expect(before).toBeGreaterThanOrEqual(0);
  noteEmailSubmit('ses', REFUSED, 10);
  expect(await shown(series)).toBe(before + 1);
});
