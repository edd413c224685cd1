import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EmailOutcome } from '@watchword/carriers';
import { createLogger, renderMetrics } from '@watchword/observability';
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

beforeEach(() => {
  lines = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as object) };
  const logger = createLogger({ service: 'dispatch', level: 'warn' }, destination);
  order = new ProviderOrder(['smtp', 'ses'], logger);
});

async function shown(series: string): Promise<number> {
  const line = (await renderMetrics()).split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.split(' ').at(-1));
}

const circuit = (account: string) => shown(`watchword_carrier_circuit_open{account="${account}"}`);

describe('a provider that refuses five times in a row', () => {
  beforeEach(() => {
    for (let at = 0; at < 5; at += 1) order.note('smtp', REFUSED, at);
  });

  it('goes last until it has rested', () => {
    expect(order.best(5)).toEqual(['ses', 'smtp']);
    expect(order.best(15_004)).toEqual(['smtp', 'ses']);
  });

  it('is shown and logged as an open circuit until it takes an email', async () => {
    expect([await circuit('smtp'), await circuit('ses')]).toEqual([1, 0]);
    order.note('smtp', ACCEPTED, 20_000);
    expect(await circuit('smtp')).toBe(0);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'warn', provider: 'smtp', fault: '535' }),
      expect.objectContaining({ level: 'warn', msg: 'provider circuit opened' }),
      expect.objectContaining({ level: 'warn', msg: 'provider circuit closed' }),
    ]);
  });
});

it('the first fault is logged, and the next one a minute later', () => {
  for (const at of [0, 1_000, 59_999, 60_000]) order.note('ses', REFUSED, at);
  const told = expect.objectContaining({ msg: 'email provider failed', provider: 'ses' });
  expect(lines).toEqual([told, told]);
});

it('a refusal of the recipient is not the fault of the provider', () => {
  for (let at = 0; at < 5; at += 1) order.note('smtp', DEFERRED, at);
  expect(order.best(5)).toEqual(['smtp', 'ses']);
  expect(lines).toEqual([]);
});

it('attempts are counted by account, from 0', async () => {
  const series = 'watchword_attempts_total{account="ses",outcome="failed"}';
  const before = await shown(series);
  expect(before).toBeGreaterThanOrEqual(0);
  noteEmailSubmit('ses', REFUSED, 10);
  expect(await shown(series)).toBe(before + 1);
});
