import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EmailOutcome } from '@watchword/carriers';
import { newId } from '@watchword/contracts';
import { createLogger, renderMetrics } from '@watchword/observability';
import { FakeClock } from '@watchword/testing';
import type { MayTake } from './hand-over.policy.js';
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

const note = (name: string, outcome: EmailOutcome, atMs: number, copy = 'some copy') => {
  clock.advance(atMs - clock.now());
  order.note(name, copy, outcome);
};
const all = () => true;
const chosen = (copy: string = newId(), mayTake: MayTake = all) =>
  order.providers().choose(copy, mayTake);
const shownOf = (name: string) => order.list().find(({ id }) => id === name);

describe('a provider that refuses five times in a row', () => {
  beforeEach(() => {
    for (let at = 0; at < 5; at += 1) note('smtp', REFUSED, at);
  });

  it('is chosen only where no other may take the copy', () => {
    expect(chosen()).toBe('ses');
    expect(chosen(newId(), (name) => name === 'smtp')).toBe('smtp');
    expect(chosen(newId(), () => false)).toBeUndefined();
  });

  it('gets one copy as its probe after fifteen seconds, and is well after its success', () => {
    clock.advance(14_999);
    expect(chosen()).toBe('ses');
    clock.advance(1);
    expect(chosen('probe')).toBe('smtp');
    expect([chosen(), chosen('probe')]).toEqual(['ses', 'smtp']);
    expect(order.admit('smtp', 'probe')).toBe('probe');
    expect(order.admit('smtp', 'another copy')).toBe('sick');
    order.note('smtp', 'another copy', ACCEPTED);
    expect(chosen()).toBe('ses');
    order.note('smtp', 'probe', ACCEPTED);
    expect(chosen()).toBe('smtp');
  });

  it('rests again where its probe is refused', () => {
    clock.advance(15_000);
    expect(chosen('probe')).toBe('smtp');
    order.note('smtp', 'probe', REFUSED);
    clock.advance(14_999);
    expect(chosen()).toBe('ses');
    clock.advance(1);
    expect(chosen()).toBe('smtp');
  });

  it('is shown and logged as an open circuit until its probe is taken', async () => {
    expect([await circuit('smtp'), await circuit('ses')]).toEqual([1, 0]);
    expect(shownOf('smtp')).toEqual({
      ...{ id: 'smtp', carrier: 'smtp', state: 'active', preferred_in: [] },
      ...{ circuit: 'open', reason: '535', submits_per_minute: 5, failed_share: 1 },
    });
    clock.advance(15_000);
    chosen('probe');
    expect(shownOf('smtp')).toMatchObject({ circuit: 'probing', reason: '535' });
    note('smtp', ACCEPTED, 20_000, 'probe');
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
    expect(chosen(newId(), (name) => name === 'smtp')).toBeUndefined();
    expect(order.providers().drained).toEqual(['smtp']);
    order.follow(new Map());
    expect(await circuit('smtp')).toBe(1);
  });
});

it('a failing provider that comes second gets a probe once a minute', () => {
  for (let at = 0; at < 5; at += 1) note('ses', REFUSED, at);
  clock.advance(59_999);
  expect(chosen()).toBe('smtp');
  clock.advance(1);
  expect([chosen(), chosen()]).toEqual(['ses', 'smtp']);
});

it('the first fault is logged, and the next one a minute later', () => {
  for (const at of [0, 1_000, 59_999, 60_000]) note('ses', REFUSED, at);
  const told = expect.objectContaining({ msg: 'email provider failed', provider: 'ses' });
  expect(lines).toEqual([told, told]);
});

it('a refusal of the recipient is not the fault of the provider', () => {
  for (let at = 0; at < 5; at += 1) note('smtp', DEFERRED, at);
  expect(chosen()).toBe('smtp');
  expect(lines).toEqual([]);
});

it('attempts are counted by account, from 0', async () => {
  const series = 'watchword_attempts_total{account="ses",outcome="failed"}';
  const before = await shown(series);
  expect(before).toBeGreaterThanOrEqual(0);
  noteEmailSubmit('ses', REFUSED, 10);
  expect(await shown(series)).toBe(before + 1);
});
