/**
 * The adapters of HTTP carriers against the carrier simulator, which has the same dialects and
 * shares no code with them: where the two disagree, one of them has misread the carrier.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startCarrierSim } from '@watchword/carrier-sim';
import { accountFrom, carrierOf, createProviders } from '@watchword/carriers';
import type { CallbackReader, CarrierReport, Provider, SubmitDeadlines } from '@watchword/carriers';
import { SAMPLE, testProviderContract } from '../../libs/carriers/src/provider-contract.kit.js';
import { waitUntil } from '../support/wait-until.js';
import { SUBJECTS } from './carriers.kit.js';
import { CallbackReceiver, control, peerOf } from './simulated-carrier.kit.js';

const SECRET = 'path-secret-0123456789';
const DEFAULT_SENDER = 'Watchword';

interface ProviderOptions {
  baseUrl: string;
  deadlines?: SubmitDeadlines;
  callbackBaseUrl?: string;
  changes?: Record<string, string>;
}

async function providerOf(carrier: string, options: ProviderOptions): Promise<Provider> {
  const { baseUrl, deadlines, callbackBaseUrl = 'http://127.0.0.1:9', changes } = options;
  const settings = {
    ...SUBJECTS[carrier]!.settings,
    baseUrl,
    senderId: DEFAULT_SENDER,
    ...changes,
  };
  const context = { callbackBaseUrl, callbackSecret: SECRET, deadlines };
  const account = accountFrom(carrier, settings);
  return (await createProviders([account], context)).get(carrier)!;
}

const start = (carrier: string, further: Record<string, string> = {}) =>
  startCarrierSim({
    defaultReceiptDelayMs: 10,
    accounts: { [carrier]: { ...SUBJECTS[carrier]!.settings, ...further } },
  });

const prefixOf = (carrier: string) => `/${carrier.replace('_', '-')}`;

const opened: Array<{ stop(): Promise<void> } | { close(): Promise<void> }> = [];
afterAll(async () => {
  for (const one of opened) await ('stop' in one ? one.stop() : one.close());
});

/** A simulator, its carrier's adapter, and what the adapter's callback address was sent. */
async function open(carrier: string, settings = SUBJECTS[carrier]!.settings) {
  const receiver = new CallbackReceiver();
  await receiver.listen();
  const callbackUrl = `${receiver.url}/callbacks/${carrier}/secret`;
  const sim = await start(carrier, { ...settings, callbackUrl });
  const baseUrl = sim.url + prefixOf(carrier);
  const places = { baseUrl, callbackBaseUrl: receiver.url };
  const provider = await providerOf(carrier, { ...places, changes: settings });
  opened.push(provider, sim, receiver);
  const account = accountFrom(carrier, settings);
  const reader = await carrierOf(carrier)!.callback!.reader(account, { callbackSecrets: [] });
  const read = reader as CallbackReader;
  return {
    ...{ receiver, sim, provider, read },
    /** Returns the reports that came, and the verdict of other callbacks. */
    reports: () =>
      receiver.callbacks.flatMap((callback): Array<CarrierReport | string> => {
        const result = read(callback);
        return result.verdict === 'reports' ? result.reports : [result.verdict];
      }),
  };
}

for (const [carrier, subject] of Object.entries(SUBJECTS)) {
  const { secrets, settings, refusals, unknownCode } = subject;

  testProviderContract(`${carrier} against the carrier simulator`, {
    openPeer: async () => peerOf(await start(carrier), prefixOf(carrier)),
    idIsOurs: carrier === 'infobip',
    createProvider: (baseUrl, deadlines) => providerOf(carrier, { baseUrl, deadlines }),
    createWithWrongCredentials: (baseUrl) =>
      providerOf(carrier, { baseUrl, changes: { [secrets[0]!]: 'wrong' } }),
    defaultSenderId: DEFAULT_SENDER,
    secrets: secrets.map((name) => settings[name]!),
    refusals,
    unknownCode,
  });

  describe(`magic numbers through ${carrier}`, () => {
    let all: Awaited<ReturnType<typeof open>>;
    let attempt = 0;

    beforeAll(async () => {
      all = await open(carrier);
    });
    beforeEach(() => {
      all.receiver.callbacks.length = 0;
      attempt += 1;
    });

    /** Submits to the magic number and waits for as many reports as are expected. */
    async function send(digits: number, count: number) {
      const destination = `+120255501${String(digits).padStart(2, '0')}`;
      const outcome = await all.provider.submit({ ...SAMPLE, attempt, destination });
      await waitUntil('the reports', () => all.reports().length >= count || undefined);
      return outcome;
    }

    it.each(Object.entries(subject.reported))('reports %s as %s', async (digits, reason) => {
      const outcome = await send(Number(digits), subject.reportsHandover ? 2 : 1);
      expect(outcome.outcome).toBe('accepted');
      const { providerMessageId } = outcome as { providerMessageId: string };
      const has = (what: 'reference' | 'number') => subject.reportsHave.includes(what);
      const about = {
        providerMessageId,
        messageId: has('reference') ? SAMPLE.messageId : null,
        attempt: has('reference') ? attempt : null,
        ...(has('number') && { destination: `+120255501${digits.padStart(2, '0')}` }),
      };
      const handover = { ...about, state: 'enroute', reason: null };
      const final = { ...about, state: reason === null ? 'delivered' : 'failed', reason };
      expect(all.reports()).toMatchObject(subject.reportsHandover ? [handover, final] : [final]);
    });

    it.each(Object.entries(subject.refused))('refuses %s as %s', async (digits, reason) => {
      const outcome = await send(Number(digits), 0);
      expect(outcome).toMatchObject({ outcome: 'refused', reason });
      expect(all.reports()).toEqual([]);
    });

    it('reads a message of a handset', async () => {
      const message = { from: '+447400123456', to: '447700900002', body: 'STOP' };
      await control(all.sim, 'POST', '/inbound', { provider: carrier, ...message });
      const messages = [{ ...message, providerMessageId: expect.any(String) }];
      expect(all.receiver.callbacks.map(all.read)).toEqual([{ verdict: 'inbound', messages }]);
    });
  });
}

describe('the network', () => {
  const NAMING = ['africas_talking', 'vonage', 'infobip', 'plivo'];

  /** Sends to each number. Returns the networks that the reports of deliveries name, in order. */
  async function reported(carrier: string, numbers: readonly string[], receipts?: object[]) {
    const { sim, provider, reports } = await open(carrier);
    if (receipts) await control(sim, 'POST', '/scenarios', { receipts });
    const networks: (string | null)[] = [];
    for (const destination of numbers) {
      await provider.submit({ ...SAMPLE, destination, attempt: networks.length + 1 });
      const delivered = await waitUntil('the report', () => {
        const found = reports().filter((one) => typeof one !== 'string');
        const finals = found.filter(({ state }) => state === 'delivered');
        return finals.length > networks.length ? finals.at(-1) : undefined;
      });
      networks.push(delivered.network);
    }
    return networks;
  }

  it.each(NAMING)('the network of a ported number is named by %s', async (carrier) => {
    const receipts = [{ after_ms: 10, outcome: 'delivered', network: '62120' }];
    const networks = await reported(carrier, [SAMPLE.destination], receipts);
    expect(networks).toEqual(['airtel_ng']);
  });
});

describe('a long text', () => {
  it.each([
    ['vonage', 3],
    ['plivo', 6],
  ])('through %s has a report for each part', async (carrier, callbacks) => {
    const { receiver, provider, reports } = await open(carrier);
    const outcome = await provider.submit({ ...SAMPLE, body: 'A'.repeat(400), segments: 3 });
    const { partIds } = outcome as { partIds?: string[] };
    await waitUntil('the reports', () => receiver.callbacks.length === callbacks);
    const parts = reports().flatMap((one) =>
      typeof one !== 'string' && one.state === 'delivered' ? [one.part] : [],
    );
    const ids = partIds?.map((id) => ({ id, count: null }));
    const numbers = ['1', '2', '3'].map((id) => ({ id, count: 3 }));
    expect(parts).toHaveLength(3);
    expect(parts).toEqual(expect.arrayContaining(ids ?? numbers));
  });
});

describe('forgeries', () => {
  it.each<[string, Readonly<Record<string, string>> | undefined]>([
    ['twilio', undefined],
    ['vonage', undefined],
    ['infobip', { apiKey: 'key', callbackUsername: 'infobip', callbackPassword: 'password' }],
    ['termii', undefined],
    ['plivo', undefined],
  ])('forgeries of %s are distinguished from its reports', async (carrier, settings) => {
    const { sim, receiver, provider, read } = await open(carrier, settings);
    await control(sim, 'POST', '/scenarios', {
      receipts: [
        { after_ms: 0, outcome: 'failed', forged: true },
        { after_ms: 20, outcome: 'delivered' },
      ],
    });
    await provider.submit(SAMPLE);
    await waitUntil('the reports', () => receiver.callbacks.length === 2);
    expect(receiver.callbacks.map(read)).toMatchObject([
      { verdict: 'forged' },
      { verdict: 'reports', reports: [{ state: 'delivered' }] },
    ]);
  });
});
