/**
 * The adapter of SMPP against the simulator's SMSC. The adapter has its PDUs from a library; the
 * SMSC has a codec of its own.
 */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startCarrierSim } from '@watchword/carrier-sim';
import type { CarrierSim } from '@watchword/carrier-sim';
import { accountFrom, createProviders } from '@watchword/carriers';
import type {
  CarrierInbound,
  CarrierReport,
  Provider,
  SubmitDeadlines,
  SubmitOutcome,
} from '@watchword/carriers';
import { SAMPLE, testProviderContract } from '../../libs/carriers/src/provider-contract.kit.js';
import type { CarrierPeer } from '../../libs/carriers/src/provider-contract.kit.js';
import { waitUntil } from '../support/wait-until.js';
import { control, peerOf } from './simulated-carrier.kit.js';

const ACCOUNT = { systemId: 'watchword', password: 'secret08' };
const DEFAULT_SENDER = 'Watchword';
/** Codes of the simulator's SMSC, as an operator maps them. */
const ERROR_REASONS = {
  255: 'unknown_subscriber',
  '0dc': 'absent_subscriber',
  254: 'handset_error',
  '20d': 'subscriber_barred',
  222: 'network_error',
  '0d2': 'dnd_active',
  '0x0400': 'opted_out',
};

const created: Provider[] = [];
afterEach(async () => {
  await Promise.all(created.splice(0).map((one) => one.stop()));
});

interface Options {
  deadlines?: SubmitDeadlines;
  settings?: object;
}

/** `address` is a URL because the contract is one for all carriers: https means TLS. */
async function create(address: string, { deadlines, settings }: Options = {}): Promise<Provider> {
  const { hostname, port, protocol } = new URL(address);
  const place = {
    host: hostname,
    port: Number(port),
    security: protocol === 'https:' ? 'tls' : 'none',
  };
  const common = { errorReasons: ERROR_REASONS, senderId: DEFAULT_SENDER };
  const account = accountFrom('smpp', { ...ACCOUNT, ...place, ...common, ...settings });
  const context = { callbackBaseUrl: '', callbackSecret: '', deadlines };
  const provider = (await createProviders([account], context)).get('smpp')!;
  created.push(provider);
  return provider;
}

/** A started account, if its SMSC takes it. When the contract starts it again, nothing changes. */
async function started(address: string, options: Options = {}): Promise<Provider> {
  const provider = await create(address, options);
  await provider.start(async () => {}).catch(() => undefined);
  provider.start = async () => {};
  return provider;
}

const startSimulator = () =>
  startCarrierSim({ defaultReceiptDelayMs: 10, accounts: { smpp: ACCOUNT } });

async function messagesOf(sim: CarrierSim) {
  return (await control(sim, 'GET', '/messages')) as Array<Record<string, string>>;
}

async function openPeer(): Promise<CarrierPeer> {
  const sim = await startSimulator();
  return {
    ...peerOf(sim, ''),
    baseUrl: `http://127.0.0.1:${sim.smpp!.port}`,
    async close() {
      await sim.close();
      // The account learns it in the next turn of the event loop.
      await waitUntil('lost connections', () => created.every((one) => !one.ready()));
    },
  };
}

testProviderContract('smpp against the carrier simulator', {
  openPeer,
  createProvider: (baseUrl, deadlines) => started(baseUrl, { deadlines }),
  createWithWrongCredentials: (baseUrl) => started(baseUrl, { settings: { password: 'wrong' } }),
  defaultSenderId: DEFAULT_SENDER,
  secrets: [ACCOUNT.password],
  throttledForMs: 1_000,
  refusals: [
    ['ESME_RINVMSGLEN', 'message_invalid'],
    ['ESME_RINVBNDSTS', 'provider_unavailable'],
    ['ESME_RSYSERR', 'provider_unavailable'],
    ['ESME_RINVSRCADR', 'sender_id_rejected'],
    ['ESME_RINVDSTADR', 'invalid_number'],
    ['ESME_RBINDFAIL', 'provider_rejected'],
    ['ESME_RMSGQFUL', 'throttled'],
    ['ESME_RSUBMITFAIL', 'carrier_rejected'],
    ['ESME_RINVSRCTON', 'sender_id_rejected'],
    ['ESME_RINVDSTTON', 'invalid_number'],
    ['ESME_RTHROTTLED', 'throttled'],
    ['ESME_RINVEXPIRY', 'message_invalid'],
    ['ESME_RX_T_APPN', 'network_error'],
    ['ESME_RX_P_APPN', 'carrier_rejected'],
    ['ESME_RDELIVERYFAILURE', 'network_error'],
    ['ESME_RUNKNOWNERR', 'unknown_error'],
    ['ESME_RSERTYPUNAUTH', 'provider_rejected'],
    ['ESME_RPROHIBITED', 'provider_rejected'],
    ['ESME_RINVDCS', 'message_invalid'],
    ['0x0400', 'opted_out'],
  ],
  unknownCode: '0x0499',
});

describe('SMPP against the carrier simulator', () => {
  let sim: CarrierSim;
  let reports: CarrierReport[];
  let inbound: CarrierInbound[];
  let provider: Provider;

  beforeEach(async () => {
    sim = await startSimulator();
  });
  afterEach(() => sim.close());

  const start = async (settings: Record<string, string> = {}) => {
    [reports, inbound] = [[], []];
    provider = await create(`http://127.0.0.1:${sim.smpp!.port}`, { settings });
    await provider.start(
      async (some) => void reports.push(...some),
      async (some) => void inbound.push(...some),
    );
  };
  const received = (count: number) =>
    waitUntil('the reports', () => reports.length >= count || undefined);
  const idsOf = (outcome: SubmitOutcome): readonly string[] =>
    outcome.outcome === 'accepted' ? (outcome.partIds ?? [outcome.providerMessageId]) : [];

  it('takes receipts that come as data_sm, as Jasmin 0.11.0 sends them with dlr_pdu=data_sm', async () => {
    await sim.close();
    sim = await startCarrierSim({
      defaultReceiptDelayMs: 10,
      accounts: { smpp: { ...ACCOUNT, receiptPdu: 'data_sm' } },
    });
    await start();
    const outcome = await provider.submit(SAMPLE);
    await received(1);
    expect(reports).toMatchObject([{ providerMessageId: idsOf(outcome)[0], state: 'delivered' }]);
  });

  const LONG_UCS2 = `Ẹ kú àárọ̀ ${'日本語 😀 '.repeat(30)}`;
  const LONG_GSM = `${'A'.repeat(152)}€${'[code] '.repeat(40)}`;

  it.each([
    ['udh', LONG_UCS2],
    ['udh', LONG_GSM],
    ['sar', LONG_UCS2],
    ['sar', LONG_GSM],
  ])(
    'SMPP against the carrier simulator brings a text whole to the handset, with %s',
    async (longMessages, body) => {
      await start({ longMessages });
      const destination = '+2348031234001';
      const outcome = await provider.submit({ ...SAMPLE, destination, body });
      const ids = idsOf(outcome);
      expect(ids.length).toBeGreaterThan(2);
      const row = (await messagesOf(sim)).at(-1);
      expect(row).toMatchObject({ to: destination, body, segments: ids.length, reference: ids[0] });
      await received(ids.length);
      const reported = reports.map(({ part, state }) => `${part?.id} ${state}`);
      expect(reported.toSorted()).toEqual(ids.map((id) => `${id} delivered`).toSorted());
    },
  );

  it('SMPP against the carrier simulator brings a text in one PDU, which is reported once', async () => {
    await start({ longMessages: 'payload' });
    const outcome = await provider.submit({ ...SAMPLE, body: LONG_UCS2 });
    expect(idsOf(outcome)).toHaveLength(1);
    expect((await messagesOf(sim)).at(-1)).toMatchObject({ body: LONG_UCS2, encoding: 'UCS-2' });
    await received(1);
    expect(reports[0]).not.toHaveProperty('part');
    expect(reports[0]).toMatchObject({ providerMessageId: idsOf(outcome)[0] });
  });

  it.each(['STOP', 'Arrêt ✋', `${'long '.repeat(60)}`])(
    'SMPP against the carrier simulator gets the message %#',
    async (body) => {
      await start();
      const message = { provider: 'smpp', from: '+2348031234567', to: '20880', body };
      await control(sim, 'POST', '/inbound', message);
      expect(inbound).toEqual([
        { from: '+2348031234567', to: '20880', body, providerMessageId: null },
      ]);
    },
  );

  describe('magic numbers', () => {
    const send = async (digits: number, count: number) => {
      await start();
      const destination = `+120255501${String(digits).padStart(2, '0')}`;
      const outcome = await provider.submit({ ...SAMPLE, destination });
      await received(count);
      return outcome.outcome === 'refused' ? outcome.reason : idsOf(outcome)[0];
    };

    it.each([
      [0, null],
      [10, 'unknown_subscriber'],
      [11, 'absent_subscriber'],
      [12, 'handset_error'],
      [13, 'subscriber_barred'],
      [14, 'carrier_rejected'],
      [16, 'carrier_rejected'],
      [17, 'network_error'],
      [18, 'carrier_rejected'],
      [19, 'expired'],
      [20, null],
      [21, 'dnd_active'],
      [23, 'unknown_error'],
      [24, 'carrier_rejected'],
    ] as const)('%d is reported as %s', async (digits, reason) => {
      const id = await send(digits, 1);
      const state = reason === null ? 'delivered' : 'failed';
      const destination = `+120255501${String(digits).padStart(2, '0')}`;
      expect(reports).toMatchObject([{ providerMessageId: id, destination, state, reason }]);
    });

    it.each([
      [15, 'sender_id_rejected'],
      [22, 'invalid_number'],
      [25, 'invalid_number'],
      [27, 'provider_rejected'],
      [28, 'provider_unavailable'],
      [38, 'carrier_rejected'],
      [39, 'throttled'],
    ] as const)('%d is refused as %s', async (digits, reason) => {
      await expect(send(digits, 0)).resolves.toBe(reason);
    });
  });
});
