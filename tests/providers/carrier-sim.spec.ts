/**
 * The adapters against the carrier simulator, which has the same dialects and shares no code
 * with them: where the two disagree, one of them has misread the carrier.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startCarrierSim } from '@watchword/carrier-sim';
import type { CarrierSim } from '@watchword/carrier-sim';
import type { Reason } from '@watchword/contracts';
import { carrierOf, createProviders } from '@watchword/carriers';
import type { CallbackReader, CarrierReport, Provider } from '@watchword/carriers';
import { SAMPLE, testProviderContract } from '../../libs/carriers/src/provider-contract.kit.js';
import type { CarrierPeer } from '../../libs/carriers/src/provider-contract.kit.js';
import { waitUntil } from '../support/wait-until.js';
import { CallbackReceiver, peerOf } from './simulated-carrier.kit.js';

const TWILIO = { accountSid: 'AC00000000000000000000000000000001', authToken: 'twilio-token' };
const AFRICAS_TALKING = { username: 'acme', apiKey: 'africas-talking-key' };
const SECRET = 'path-secret-0123456789';
const DEFAULT_SENDER = 'Watchword';

type CarrierName = 'twilio' | 'africas_talking';

const PATHS: Record<CarrierName, string> = {
  twilio: '/twilio',
  africas_talking: '/africas-talking',
};

interface ProviderOptions {
  deadlines?: { otp: number; sms: number };
  callbackBaseUrl?: string;
  credential?: string;
}

async function provider(
  name: CarrierName,
  baseUrl: string,
  options: ProviderOptions = {},
): Promise<Provider> {
  const { deadlines, credential, callbackBaseUrl = 'http://127.0.0.1:9' } = options;
  const common = { baseUrl, senderId: DEFAULT_SENDER };
  const accounts = [
    {
      id: 'twilio',
      carrier: 'twilio',
      settings: { ...TWILIO, authToken: credential ?? TWILIO.authToken, ...common },
    },
    {
      id: 'africas_talking',
      carrier: 'africas_talking',
      settings: { ...AFRICAS_TALKING, apiKey: credential ?? AFRICAS_TALKING.apiKey, ...common },
    },
  ];
  const context = { callbackBaseUrl, callbackSecret: SECRET, deadlines };
  return (await createProviders(accounts, context)).get(name)!;
}

const start = (callbackUrl?: string) =>
  startCarrierSim({
    defaultReceiptDelayMs: 10,
    accounts: { twilio: TWILIO, africas_talking: { ...AFRICAS_TALKING, callbackUrl } },
  });

async function openPeer(name: CarrierName): Promise<CarrierPeer> {
  return peerOf(await start(), PATHS[name]);
}

/** What the simulator can answer, by this test's reading of the carriers' tables. */
const REFUSALS: Record<CarrierName, ReadonlyArray<readonly [string, Reason]>> = {
  twilio: [
    ['20003', 'provider_rejected'],
    ['20005', 'provider_rejected'],
    ['20404', 'provider_rejected'],
    ['21211', 'invalid_number'],
    ['21212', 'sender_id_rejected'],
    ['21408', 'no_route'],
    ['21602', 'message_invalid'],
    ['21606', 'sender_id_rejected'],
    ['21610', 'opted_out'],
    ['21611', 'throttled'],
    ['21612', 'no_route'],
    ['21614', 'unsupported_number'],
    ['21617', 'message_invalid'],
    ['21730', 'provider_unavailable'],
  ],
  africas_talking: [
    ['401', 'fraud_blocked'],
    ['402', 'sender_id_rejected'],
    ['403', 'invalid_number'],
    ['404', 'unsupported_number'],
    ['405', 'provider_rejected'],
    ['406', 'opted_out'],
    ['407', 'no_route'],
    ['409', 'dnd_active'],
    ['500', 'provider_unavailable'],
    ['501', 'provider_unavailable'],
    ['502', 'carrier_rejected'],
  ],
};

for (const name of ['twilio', 'africas_talking'] as const) {
  testProviderContract(`${name} against the carrier simulator`, {
    openPeer: () => openPeer(name),
    endlessBodies: false,
    createProvider: (baseUrl, deadlines) => provider(name, baseUrl, { deadlines }),
    createStranger: (baseUrl) => provider(name, baseUrl, { credential: 'wrong' }),
    defaultSenderId: DEFAULT_SENDER,
    secrets: [TWILIO.authToken, AFRICAS_TALKING.apiKey],
    refusals: REFUSALS[name],
    unknownCode: name === 'twilio' ? '39999' : '499',
  });
}

interface Outcome {
  submit: string;
  reports: Array<CarrierReport | string>;
}

describe('magic numbers through the carriers', () => {
  const receiver = new CallbackReceiver();
  let sim: CarrierSim;
  const providers = new Map<CarrierName, Provider>();
  const readers = new Map<CarrierName, CallbackReader>();

  beforeAll(async () => {
    await receiver.listen();
    sim = await start(`${receiver.url}/callbacks/africas_talking/${SECRET}`);
    for (const name of ['twilio', 'africas_talking'] as const) {
      const options = { callbackBaseUrl: receiver.url };
      providers.set(name, await provider(name, sim.url + PATHS[name], options));
      const account = { id: name, carrier: name, settings: TWILIO };
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

  /** Submits to the magic number and waits for as many callbacks as are expected. */
  async function send(name: CarrierName, digits: number, callbacks: number): Promise<Outcome> {
    const carrier = providers.get(name)!;
    const destination = `+120255501${String(digits).padStart(2, '0')}`;
    const outcome = await carrier.submit({ ...SAMPLE, destination });
    await waitUntil('the callbacks', () => receiver.callbacks.length >= callbacks || undefined);
    const reports = receiver.callbacks.flatMap((callback): Outcome['reports'] => {
      const result = readers.get(name)!(callback);
      return result.verdict === 'reports' ? result.reports : [result.verdict];
    });
    for (const report of reports) {
      if (typeof report === 'string' || outcome.outcome !== 'accepted') continue;
      expect(report.providerMessageId).toBe(outcome.providerMessageId);
      expect(report.messageId).toBe(name === 'twilio' ? SAMPLE.messageId : null);
      expect(report.attempt).toBe(name === 'twilio' ? SAMPLE.attempt : null);
    }
    return {
      submit: outcome.outcome === 'refused' ? outcome.reason : outcome.outcome,
      reports,
    };
  }

  it.each([
    [0, null],
    [10, 'unknown_subscriber'],
    [11, 'absent_subscriber'],
    [12, 'unknown_error'],
    [13, 'carrier_rejected'],
    [14, 'content_rejected'],
    [17, 'network_error'],
    [18, 'carrier_rejected'],
    [19, 'expired'],
    [21, 'content_rejected'],
    [23, 'unknown_error'],
    [24, 'fraud_blocked'],
  ] as const)('twilio reports %d as %s', async (digits, reason) => {
    const { submit, reports } = await send('twilio', digits, 2);
    expect(submit).toBe('accepted');
    expect(reports).toMatchObject([
      { state: 'enroute', reason: null },
      { state: reason === null ? 'delivered' : 'failed', reason },
    ]);
  });

  it.each([
    [0, null],
    [10, 'unknown_subscriber'],
    [11, 'absent_subscriber'],
    [12, 'network_error'],
    [13, 'subscriber_barred'],
    [14, 'carrier_rejected'],
    [17, 'network_error'],
    [19, 'expired'],
    [21, 'dnd_active'],
    [23, 'unknown_error'],
  ] as const)('africas_talking reports %d as %s', async (digits, reason) => {
    const { submit, reports } = await send('africas_talking', digits, 1);
    expect(submit).toBe('accepted');
    expect(reports).toMatchObject([{ state: reason === null ? 'delivered' : 'failed', reason }]);
  });

  it.each([
    ['twilio', 15, 'sender_id_rejected'],
    ['twilio', 16, 'no_route'],
    ['twilio', 20, 'opted_out'],
    ['twilio', 22, 'unsupported_number'],
    ['twilio', 25, 'invalid_number'],
    ['twilio', 27, 'provider_rejected'],
    ['twilio', 28, 'provider_unavailable'],
    ['twilio', 39, 'throttled'],
    ['africas_talking', 15, 'sender_id_rejected'],
    ['africas_talking', 16, 'no_route'],
    ['africas_talking', 18, 'carrier_rejected'],
    ['africas_talking', 20, 'opted_out'],
    ['africas_talking', 22, 'unsupported_number'],
    ['africas_talking', 24, 'fraud_blocked'],
    ['africas_talking', 25, 'invalid_number'],
    ['africas_talking', 27, 'provider_rejected'],
    ['africas_talking', 28, 'provider_unavailable'],
    ['africas_talking', 39, 'throttled'],
  ] as const)('%s refuses %d as %s', async (name, digits, reason) => {
    await expect(send(name, digits, 0)).resolves.toEqual({ submit: reason, reports: [] });
  });

  it('tells the forged receipt of 09 from the true one', async () => {
    const { reports } = await send('twilio', 9, 3);
    expect(reports).toHaveLength(3);
    expect(reports).toEqual(
      expect.arrayContaining(['forged', expect.objectContaining({ state: 'delivered' })]),
    );
    expect(reports).not.toContainEqual(expect.objectContaining({ state: 'failed' }));
  });
});
