/**
 * The adapters of Termii and Plivo against the carrier simulator, which has the same dialects and
 * shares no code with them.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startCarrierSim } from '@watchword/carrier-sim';
import type { CarrierSim } from '@watchword/carrier-sim';
import type { Reason } from '@watchword/contracts';
import { carrierOf, createProviders } from '@watchword/carriers';
import type { CallbackReader, CarrierReport, Provider } from '@watchword/carriers';
import { SAMPLE, testProviderContract } from '../../libs/carriers/src/provider-contract.kit.js';
import { waitUntil } from '../support/wait-until.js';
import { CallbackReceiver, control, peerOf } from './simulated-carrier.kit.js';

const SETTINGS = {
  termii: { apiKey: 'TLkey-of-the-account', secretKey: 'termii-secret-key' },
  plivo: { authId: 'MA000000000000000001', authToken: 'plivo-token' },
};
const CREDENTIAL = { termii: 'apiKey', plivo: 'authToken' };
const SECRET = 'path-secret-0123456789';
const DEFAULT_SENDER = 'Watchword';

type CarrierName = keyof typeof SETTINGS;
const NAMES = ['termii', 'plivo'] as const;

interface ProviderOptions {
  deadlines?: { otp: number; sms: number };
  callbackBaseUrl?: string;
  credential?: string;
}

async function provider(
  name: CarrierName,
  baseUrl: string,
  { deadlines, callbackBaseUrl = 'http://127.0.0.1:9', credential }: ProviderOptions = {},
): Promise<Provider> {
  const settings: Record<string, string> = {
    ...SETTINGS[name],
    baseUrl,
    senderId: DEFAULT_SENDER,
    ...(credential !== undefined && { [CREDENTIAL[name]]: credential }),
  };
  const context = { callbackBaseUrl, callbackSecret: SECRET, deadlines };
  return (await createProviders([{ id: name, carrier: name, settings }], context)).get(name)!;
}

const start = (callbackBase?: string) => {
  const callbackUrlOf = (name: CarrierName) =>
    callbackBase === undefined ? undefined : `${callbackBase}/callbacks/${name}/${SECRET}`;
  const accounts = NAMES.map((name) => [
    name,
    { ...SETTINGS[name], callbackUrl: callbackUrlOf(name) },
  ]);
  return startCarrierSim({
    defaultReceiptDelayMs: 10,
    accounts: Object.fromEntries(accounts) as Record<string, Record<string, string>>,
  });
};

/** What the simulator can answer, by this test's reading of the carriers' documentation. */
const REFUSALS: Record<CarrierName, ReadonlyArray<readonly [string, Reason]>> = {
  termii: [
    ['Unauthorized', 'provider_rejected'],
    ['Your account is not active', 'provider_rejected'],
    ['Insufficient balance', 'provider_rejected'],
    ['Device not found', 'provider_rejected'],
    ['Invalid Sender Id', 'sender_id_rejected'],
    ['You are not set up on this route', 'sender_id_rejected'],
    ['Your device has reached the daily limit', 'throttled'],
    ['Invalid phone number', 'invalid_number'],
  ],
  plivo: [
    ['HTTP 402', 'provider_rejected'],
    ['HTTP 403', 'no_route'],
    ['HTTP 404', 'provider_rejected'],
  ],
};

for (const name of NAMES) {
  testProviderContract(`${name} against the carrier simulator`, {
    openPeer: async () => peerOf(await start(), `/${name}`),
    endlessBodies: false,
    createProvider: (baseUrl, deadlines) => provider(name, baseUrl, { deadlines }),
    createStranger: (baseUrl) => provider(name, baseUrl, { credential: 'wrong' }),
    defaultSenderId: DEFAULT_SENDER,
    secrets: Object.values(SETTINGS[name]),
    refusals: REFUSALS[name],
    unknownCode: 'HTTP 405',
  });
}

describe('magic numbers through the carriers', () => {
  const receiver = new CallbackReceiver();
  let sim: CarrierSim;
  const providers = new Map<CarrierName, Provider>();
  const readers = new Map<CarrierName, CallbackReader>();

  beforeAll(async () => {
    await receiver.listen();
    sim = await start(receiver.url);
    for (const name of NAMES) {
      const options = { callbackBaseUrl: receiver.url };
      providers.set(name, await provider(name, `${sim.url}/${name}`, options));
      const account = { id: name, carrier: name, settings: SETTINGS[name] };
      const reader = await carrierOf(name)!.callback!.reader(account, { callbackSecrets: [] });
      readers.set(name, reader as CallbackReader);
    }
  });
  beforeEach(() => {
    receiver.callbacks.length = 0;
  });
  afterAll(async () => {
    for (const each of providers.values()) await each.stop();
    await sim.close();
    await receiver.close();
  });

  /** Reads the callbacks, once there are as many as expected. */
  async function reportsOf(name: CarrierName, count: number): Promise<(CarrierReport | string)[]> {
    await waitUntil('the callbacks', () => receiver.callbacks.length >= count || undefined);
    return receiver.callbacks.flatMap((callback): (CarrierReport | string)[] => {
      const result = readers.get(name)!(callback);
      return result.verdict === 'reports' ? result.reports : [result.verdict];
    });
  }

  /** Submits to the magic number. Returns the outcome and as many reports as are expected. */
  async function send(name: CarrierName, digits: number, callbacks: number, body = SAMPLE.body) {
    const destination = `+120255501${String(digits).padStart(2, '0')}`;
    const outcome = await providers.get(name)!.submit({ ...SAMPLE, destination, body });
    const reports = await reportsOf(name, callbacks);
    for (const report of reports) {
      if (typeof report === 'string' || outcome.outcome !== 'accepted') continue;
      const { providerMessageId } = outcome;
      expect(report).toMatchObject(
        name === 'plivo'
          ? { providerMessageId, messageId: SAMPLE.messageId, attempt: SAMPLE.attempt }
          : { providerMessageId, messageId: null, attempt: null, destination },
      );
    }
    const submit = outcome.outcome === 'refused' ? outcome.reason : outcome.outcome;
    return { submit, reports };
  }

  const failures: Record<CarrierName, ReadonlyArray<readonly [number, Reason | null]>> = {
    termii: [
      [0, null],
      ...[10, 11, 12, 13, 14, 17, 18, 24].map((digits) => [digits, 'carrier_rejected'] as const),
      [19, 'expired'],
      // Termii has no opt-outs.
      [20, null],
      [21, 'dnd_active'],
      [23, 'unknown_error'],
    ],
    plivo: [
      [0, null],
      [10, 'unknown_subscriber'],
      [11, 'absent_subscriber'],
      [12, 'network_error'],
      [13, 'carrier_rejected'],
      [14, 'content_rejected'],
      [17, 'network_error'],
      [18, 'carrier_rejected'],
      [19, 'expired'],
      [20, 'opted_out'],
      [21, 'carrier_rejected'],
      [22, 'invalid_number'],
      [23, 'unknown_error'],
      [24, 'fraud_blocked'],
    ],
  };

  it.each(
    NAMES.flatMap((name) => failures[name].map(([digits, reason]) => ({ name, digits, reason }))),
  )('$name reports $digits as $reason', async ({ name, digits, reason }) => {
    const { submit, reports } = await send(name, digits, 2);
    expect(submit).toBe('accepted');
    expect(reports).toMatchObject([
      { state: 'enroute', reason: null },
      { state: reason === null ? 'delivered' : 'failed', reason },
    ]);
  });

  it.each([
    ['termii', 15, 'sender_id_rejected'],
    ['termii', 16, 'sender_id_rejected'],
    ['termii', 22, 'invalid_number'],
    ['termii', 25, 'invalid_number'],
    ['termii', 27, 'provider_rejected'],
    ['termii', 28, 'provider_unavailable'],
    ['termii', 39, 'throttled'],
    ['plivo', 15, 'sender_id_rejected'],
    ['plivo', 16, 'no_route'],
    ['plivo', 25, 'invalid_number'],
    ['plivo', 27, 'provider_rejected'],
    ['plivo', 28, 'provider_unavailable'],
    ['plivo', 39, 'throttled'],
  ] as const)('%s refuses %d as %s', async (name, digits, reason) => {
    await expect(send(name, digits, 0)).resolves.toEqual({ submit: reason, reports: [] });
  });

  it.each(NAMES)('tells the forged receipt of 09 at %s from the true one', async (name) => {
    const { reports } = await send(name, 9, 3);
    expect(reports).toMatchObject([{ state: 'enroute' }, 'forged', { state: 'delivered' }]);
  });

  it('plivo reports each part of a long message', async () => {
    const { reports } = await send('plivo', 10, 6, 'A'.repeat(320));
    const failed = reports.filter((one) => typeof one !== 'string' && one.state === 'failed');
    expect(failed).toHaveLength(3);
    for (const id of ['1', '2', '3']) {
      expect(failed).toContainEqual(expect.objectContaining({ part: { id, count: 3 } }));
    }
  });

  it.each(NAMES)('%s brings a STOP of a handset', async (name) => {
    const message = { provider: name, from: '+2348031234567', to: '2347010000000', body: 'STOP' };
    await control(sim, 'POST', '/inbound', message);
    await waitUntil('the callback', () => receiver.callbacks.length > 0 || undefined);
    const { from, to, body } = message;
    expect(readers.get(name)!(receiver.callbacks[0]!)).toEqual({
      verdict: 'inbound',
      messages: [{ from, to, body, providerMessageId: expect.any(String) }],
    });
  });
});
