/**
 * The adapters of carriers without an account by default, against the carrier simulator, which has
 * the same dialects and shares no code with them.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startCarrierSim } from '@watchword/carrier-sim';
import type { CarrierSim } from '@watchword/carrier-sim';
import { carrierOf, createProviders } from '@watchword/carriers';
import type { CallbackReader, CarrierReport, Provider } from '@watchword/carriers';
import type { Reason } from '@watchword/contracts';
import { SAMPLE, testProviderContract } from '../../libs/carriers/src/provider-contract.kit.js';
import { waitUntil } from '../support/wait-until.js';
import { CallbackReceiver, control, peerOf } from './simulated-carrier.kit.js';

const SECRET = 'path-secret-0123456789';
const DEFAULT_SENDER = 'Watchword';

interface Subject {
  readonly settings: Readonly<Record<string, string>>;
  /** The setting that a stranger does not know. */
  readonly credential: string;
  /** What the simulator can answer, by this test's reading of the carrier's table. */
  readonly refusals: ReadonlyArray<readonly [code: string, reason: Reason]>;
  readonly unknownCode: string;
  /** Reasons by the digits of magic numbers that are refused. */
  readonly refused: Readonly<Record<number, Reason>>;
  /** Reasons by the digits of magic numbers that are accepted and fail. */
  readonly failed: Readonly<Record<number, Reason>>;
  /** Whether the hand-over of a message is reported first. */
  readonly reportsHandover: boolean;
}

const SUBJECTS: Record<string, Subject> = {
  vonage: {
    settings: {
      apiKey: 'a1b2c3d4',
      apiSecret: 'vonage-secret',
      signatureSecret: 'vonage-signature-secret',
      signatureMethod: 'sha512',
    },
    credential: 'apiSecret',
    refusals: [
      ['1', 'throttled'],
      ['2', 'message_invalid'],
      ['4', 'provider_rejected'],
      ['5', 'provider_unavailable'],
      ['6', 'no_route'],
      ['7', 'opted_out'],
      ['9', 'provider_rejected'],
      ['12', 'message_invalid'],
      ['15', 'sender_id_rejected'],
      ['29', 'provider_rejected'],
      ['33', 'unknown_subscriber'],
    ],
    unknownCode: '98',
    refused: {
      15: 'sender_id_rejected',
      16: 'no_route',
      20: 'opted_out',
      22: 'no_route',
      25: 'message_invalid',
      27: 'provider_rejected',
      28: 'provider_unavailable',
      39: 'throttled',
    },
    failed: {
      10: 'unknown_subscriber',
      11: 'absent_subscriber',
      12: 'handset_error',
      13: 'subscriber_barred',
      14: 'content_rejected',
      17: 'network_error',
      18: 'carrier_rejected',
      19: 'expired',
      21: 'opted_out',
      23: 'unknown_error',
      24: 'unknown_error',
    },
    reportsHandover: false,
  },
  infobip: {
    settings: { apiKey: 'infobip-key' },
    credential: 'apiKey',
    refusals: [
      ['status 6', 'no_route'],
      ['status 8', 'invalid_number'],
      ['status 10', 'dnd_active'],
      ['status 11', 'sender_id_rejected'],
      ['status 12', 'provider_rejected'],
      ['status 14', 'opted_out'],
      ['status 19', 'no_route'],
      ['status 20', 'throttled'],
      ['status 21', 'provider_unavailable'],
      ['status 25', 'message_invalid'],
      ['status 52', 'invalid_number'],
      ['status 87', 'fraud_blocked'],
      ['status 100', 'carrier_rejected'],
    ],
    unknownCode: 'status 9999',
    refused: {
      15: 'sender_id_rejected',
      16: 'no_route',
      18: 'carrier_rejected',
      20: 'opted_out',
      24: 'fraud_blocked',
      25: 'invalid_number',
      27: 'provider_rejected',
      28: 'provider_unavailable',
      39: 'throttled',
    },
    failed: {
      10: 'unknown_subscriber',
      11: 'absent_subscriber',
      12: 'handset_error',
      13: 'subscriber_barred',
      14: 'content_rejected',
      17: 'network_error',
      19: 'expired',
      21: 'dnd_active',
      22: 'subscriber_barred',
      23: 'unknown_error',
    },
    reportsHandover: true,
  },
};

interface ProviderOptions {
  baseUrl: string;
  deadlines?: { otp: number; sms: number };
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
  const account = { id: carrier, carrier, settings };
  return (await createProviders([account], context)).get(carrier)!;
}

const start = (carrier: string, further: Record<string, string> = {}) =>
  startCarrierSim({
    defaultReceiptDelayMs: 10,
    accounts: { [carrier]: { ...SUBJECTS[carrier]!.settings, ...further } },
  });

for (const [carrier, subject] of Object.entries(SUBJECTS)) {
  const { credential, settings, refusals, unknownCode } = subject;

  testProviderContract(`${carrier} against the carrier simulator`, {
    openPeer: async () => peerOf(await start(carrier), `/${carrier}`),
    endlessBodies: false,
    idIsOurs: carrier === 'infobip',
    createProvider: (baseUrl, deadlines) => providerOf(carrier, { baseUrl, deadlines }),
    createStranger: (baseUrl) =>
      providerOf(carrier, { baseUrl, changes: { [credential]: 'wrong' } }),
    defaultSenderId: DEFAULT_SENDER,
    secrets: [settings[credential]!],
    refusals,
    unknownCode,
  });

  describe(`magic numbers through ${carrier}`, () => {
    const receiver = new CallbackReceiver();
    let sim: CarrierSim;
    let provider: Provider;
    let read: CallbackReader;

    beforeAll(async () => {
      await receiver.listen();
      sim = await start(carrier, { callbackUrl: `${receiver.url}/callbacks/${carrier}/secret` });
      const baseUrl = `${sim.url}/${carrier}`;
      provider = await providerOf(carrier, { baseUrl, callbackBaseUrl: receiver.url });
      const account = { id: carrier, carrier, settings };
      const reader = await carrierOf(carrier)!.callback!.reader(account, { callbackSecrets: [] });
      read = reader as CallbackReader;
    });
    let attempt = 0;
    beforeEach(() => {
      receiver.callbacks.length = 0;
      attempt += 1;
    });
    afterAll(async () => {
      await provider.stop();
      await sim.close();
      await receiver.close();
    });

    const reports = () =>
      receiver.callbacks.flatMap((callback): Array<CarrierReport | string> => {
        const result = read(callback);
        return result.verdict === 'reports' ? result.reports : [result.verdict];
      });

    /** Submits to the magic number and waits for as many reports as are expected. */
    async function send(digits: number, count: number, body = SAMPLE.body) {
      const destination = `+120255501${String(digits).padStart(2, '0')}`;
      const outcome = await provider.submit({ ...SAMPLE, attempt, destination, body });
      await waitUntil('the reports', () => reports().length >= count || undefined);
      return outcome;
    }

    it.each(Object.entries({ 0: null, ...subject.failed }))(
      'reports %s as %s',
      async (digits, reason) => {
        const outcome = await send(Number(digits), subject.reportsHandover ? 2 : 1);
        const { messageId } = SAMPLE;
        const { providerMessageId } = outcome as { providerMessageId: string };
        expect(outcome.outcome).toBe('accepted');
        const about = {
          messageId,
          attempt,
          providerMessageId,
          destination: `+120255501${digits.padStart(2, '0')}`,
        };
        const handover = { ...about, state: 'enroute', reason: null };
        const final = { ...about, state: reason === null ? 'delivered' : 'failed', reason };
        expect(reports()).toMatchObject(subject.reportsHandover ? [handover, final] : [final]);
      },
    );

    it.each(Object.entries(subject.refused))('refuses %s as %s', async (digits, reason) => {
      const outcome = await send(Number(digits), 0);
      expect(outcome).toMatchObject({ outcome: 'refused', reason });
      expect(reports()).toEqual([]);
    });

    it('reads a message of a handset', async () => {
      const message = { from: '+447400123456', to: '447700900002', body: 'STOP' };
      await control(sim, 'POST', '/inbound', { provider: carrier, ...message });
      expect(receiver.callbacks.map(read)).toMatchObject([
        { verdict: 'inbound', messages: [message] },
      ]);
    });
  });
}

describe('a long text through vonage', () => {
  it('has an id and a report for each part', async () => {
    const receiver = new CallbackReceiver();
    await receiver.listen();
    const sim = await start('vonage');
    const baseUrl = `${sim.url}/vonage`;
    const provider = await providerOf('vonage', { baseUrl, callbackBaseUrl: receiver.url });
    const outcome = await provider.submit({ ...SAMPLE, body: 'A'.repeat(400), segments: 3 });
    const { partIds = [] } = outcome as { partIds?: string[] };
    expect(partIds).toHaveLength(3);
    await waitUntil('the reports', () => receiver.callbacks.length === 3 || undefined);
    const account = { id: 'vonage', carrier: 'vonage', settings: SUBJECTS['vonage']!.settings };
    const reader = await carrierOf('vonage')!.callback!.reader(account, { callbackSecrets: [] });
    const parts = receiver.callbacks.map((callback) => {
      const result = (reader as CallbackReader)(callback);
      return result.verdict === 'reports' ? result.reports[0]?.part?.id : result.verdict;
    });
    expect(parts.toSorted()).toEqual(partIds.toSorted());
    await provider.stop();
    await sim.close();
    await receiver.close();
  });
});

describe('the log of infobip', () => {
  it('tells whether an unanswered submit was accepted', async () => {
    const sim = await start('infobip');
    const provider = await providerOf('infobip', { baseUrl: `${sim.url}/infobip` });
    const submit = { kind: 'accept_then_lose_answer' };
    await control(sim, 'POST', '/scenarios', { submit, receipts: [] });
    expect((await provider.submit(SAMPLE)).outcome).toBe('ambiguous');
    await expect(provider.query!(SAMPLE.messageId, 1)).resolves.toEqual({
      outcome: 'accepted',
      providerMessageId: `${SAMPLE.messageId}-1`,
    });
    const unknown = await provider.query!(SAMPLE.messageId, 2);
    expect(unknown).toMatchObject({ outcome: 'ambiguous', rawCode: 'HTTP 200' });
    await sim.close();
    expect((await provider.query!(SAMPLE.messageId, 1)).outcome).toBe('ambiguous');
    await provider.stop();
  });
});

describe('forgeries', () => {
  it.each([
    ['vonage', SUBJECTS['vonage']!.settings],
    ['infobip', { apiKey: 'key', callbackUsername: 'infobip', callbackPassword: 'password' }],
  ] as const)('of %s are told from its reports', async (carrier, settings) => {
    const receiver = new CallbackReceiver();
    await receiver.listen();
    const callbackUrl = `${receiver.url}/callbacks/${carrier}/secret`;
    const account = { ...settings, callbackUrl };
    const sim = await startCarrierSim({ accounts: { [carrier]: account } });
    const changes: Record<string, string> = { ...settings };
    const options = { baseUrl: `${sim.url}/${carrier}`, callbackBaseUrl: receiver.url, changes };
    const provider = await providerOf(carrier, options);
    await control(sim, 'POST', '/scenarios', {
      receipts: [
        { after_ms: 0, outcome: 'failed', forged: true },
        { after_ms: 20, outcome: 'delivered' },
      ],
    });
    await provider.submit(SAMPLE);
    await waitUntil('the reports', () => receiver.callbacks.length === 2 || undefined);
    const known = { id: carrier, carrier, settings };
    const reader = await carrierOf(carrier)!.callback!.reader(known, { callbackSecrets: [] });
    expect(receiver.callbacks.map(reader as CallbackReader)).toMatchObject([
      { verdict: 'forged' },
      { verdict: 'reports', reports: [{ state: 'delivered', messageId: SAMPLE.messageId }] },
    ]);
    await provider.stop();
    await sim.close();
    await receiver.close();
  });
});
