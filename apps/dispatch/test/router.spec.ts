import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { createLogger, renderMetrics } from '@watchword/observability';
import { FakeClock } from '@watchword/testing';
import { SPARE_PROBE_AFTER_MS } from '../src/routing/provider-health.policy.js';
import { Router } from '../src/routing/router.js';
import { ScriptedProvider } from './dispatch.kit.js';

const logger = createLogger({ service: 'dispatch', level: 'silent' });
/** Its route: africas_talking, then twilio. */
const nigerian = () => ({ id: newId(), testMode: false, countryCode: 'NG', network: null });

let clock: FakeClock;
let router: Router;

beforeEach(() => {
  clock = new FakeClock(Date.now());
  const names = ['africas_talking', 'twilio'];
  const providers = new Map(names.map((name) => [name, new ScriptedProvider(name)]));
  router = new Router(providers, clock, logger);
});

const choice = (message = nigerian()) => router.choose(message)?.name;

async function openCircuits(): Promise<string[]> {
  const text = await renderMetrics();
  const lines = text.matchAll(/^watchword_carrier_circuit_open\{account="(\w+)"\} 1$/gm);
  return [...lines].map(([, account = '']) => account);
}

describe('a sick provider that the route puts second', () => {
  beforeEach(() => router.record('twilio', nigerian(), 'provider_rejected'));

  it('gets one message as its probe after a minute, and the next one a minute later', () => {
    clock.advance(SPARE_PROBE_AFTER_MS - 1);
    expect(choice()).toBe('africas_talking');
    clock.advance(1);
    const probe = nigerian();
    expect(choice(probe)).toBe('twilio');
    expect(choice()).toBe('africas_talking');
    router.record('twilio', probe, 'provider_rejected');
    clock.advance(SPARE_PROBE_AFTER_MS - 1);
    expect(choice()).toBe('africas_talking');
    clock.advance(1);
    expect(choice()).toBe('twilio');
  });

  it('is well after a probe that succeeds', async () => {
    clock.advance(SPARE_PROBE_AFTER_MS);
    const probe = nigerian();
    expect(choice(probe)).toBe('twilio');
    expect(await openCircuits()).toEqual(['twilio']);
    router.record('twilio', probe, null);
    expect(router.list().find(({ id }) => id === 'twilio')?.circuit).toBe('closed');
    expect(await openCircuits()).toEqual([]);
    expect(choice()).toBe('africas_talking');
  });

  it('gets no probe for a network that it does not serve', () => {
    router.record('twilio', nigerian(), 'no_route');
    clock.advance(SPARE_PROBE_AFTER_MS);
    expect(choice()).toBe('africas_talking');
    expect(choice({ ...nigerian(), countryCode: 'KE' })).toBe('twilio');
  });

  it('is not shown as open, and gets no probe, while it is drained', async () => {
    router.follow(new Map([['twilio', { state: 'drained', preferredIn: [] }]]));
    expect(await openCircuits()).toEqual([]);
    clock.advance(SPARE_PROBE_AFTER_MS);
    expect(choice()).toBe('africas_talking');
    router.follow(new Map());
    expect(await openCircuits()).toEqual(['twilio']);
    expect(choice()).toBe('twilio');
  });
});

it('the opening and the closing of a circuit are a warning each', () => {
  const lines: string[] = [];
  const loud = createLogger(
    { service: 'dispatch', level: 'warn' },
    { write: (line) => lines.push(line) },
  );
  const provider = new ScriptedProvider('twilio');
  const only = new Router(new Map([[provider.name, provider]]), clock, loud);
  const probe = nigerian();
  only.record('twilio', nigerian(), 'provider_rejected');
  only.record('twilio', nigerian(), 'provider_rejected');
  clock.advance(SPARE_PROBE_AFTER_MS);
  expect(only.choose(probe)?.name).toBe('twilio');
  only.record('twilio', probe, null);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      level: 'warn',
      provider: 'twilio',
      reason: 'provider_rejected',
      msg: 'provider circuit opened',
    }),
    expect.objectContaining({ level: 'warn', provider: 'twilio', msg: 'provider circuit closed' }),
  ]);
});

it('a further account of a carrier comes right after the first one', () => {
  const further = Object.assign(new ScriptedProvider('at_ke'), { carrier: 'africas_talking' });
  const names = ['twilio', 'africas_talking'];
  const all = [...names.map((name) => new ScriptedProvider(name)), further];
  router = new Router(new Map(all.map((one) => [one.name, one])), clock, logger);
  expect(router.providersFor(nigerian()).map(({ name }) => name)).toEqual([
    'africas_talking',
    'at_ke',
    'twilio',
  ]);
  router.record('africas_talking', nigerian(), 'provider_rejected');
  expect(choice()).toBe('at_ke');
});

it('a provider without its connection is the last choice, and is shown so', async () => {
  const isConnected = { africas_talking: false, twilio: true };
  const all = Object.entries(isConnected).map(([name, isReady]) =>
    Object.assign(new ScriptedProvider(name), { ready: () => isReady }),
  );
  router = new Router(new Map(all.map((one) => [one.name, one])), clock, logger);
  const message = nigerian();
  expect(choice(message)).toBe('twilio');
  expect(router.admit('africas_talking', message)).toBe('sick');
  expect(router.availableFor(message).map(({ name }) => name)).toEqual(['twilio']);
  expect(await openCircuits()).toEqual(['africas_talking']);
});

it('a sick provider that the route puts first gets its probe after fifteen seconds', () => {
  router.record('africas_talking', nigerian(), 'provider_rejected');
  clock.advance(14_999);
  expect(choice()).toBe('twilio');
  clock.advance(1);
  expect(choice()).toBe('africas_talking');
  expect(choice()).toBe('twilio');
});

it('with debug lines a choice names the provider and its reason', () => {
  const lines: string[] = [];
  const loud = createLogger(
    { service: 'dispatch', level: 'debug' },
    { write: (line) => lines.push(line) },
  );
  const provider = new ScriptedProvider('twilio');
  const message = nigerian();
  new Router(new Map([[provider.name, provider]]), clock, loud).choose(message);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { msg: 'provider chosen', messageId: message.id, provider: 'twilio', why: 'best' },
  ]);
});
