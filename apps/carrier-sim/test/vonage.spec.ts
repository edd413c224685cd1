import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from './carrier-sim.kit.js';
import type { Callback, Reply } from './carrier-sim.kit.js';

const TO = '447400123456';
const API_KEY = 'a1b2c3d4';
const API_SECRET = 'secret';
const SIGNATURE_SECRET = 'sigsecret';
const PATH = '/callbacks/vonage/secret';

type Fields = Record<string, string | undefined>;

const fieldsOf = ({ body }: Callback) => JSON.parse(body) as Record<string, string>;

/** Written from Vonage's description of MD5 hash, independently of the tested code. */
function isSigned(callback: Callback, secret = SIGNATURE_SECRET): boolean {
  const { sig, ...others } = fieldsOf(callback);
  const names = Object.keys(others).toSorted();
  const text = names.map((name) => `&${name}=${others[name]!.replace(/&|=/g, '_')}`).join('');
  return sig === createHash('md5').update(`${text}${secret}`).digest('hex');
}

describe('Vonage', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start(20, (url) => ({
      vonage: {
        apiKey: API_KEY,
        apiSecret: API_SECRET,
        signatureSecret: SIGNATURE_SECRET,
        callbackUrl: `${url}${PATH}`,
      },
    }));
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  /** Undefined leaves a field out. */
  const send = (fields: Fields, headers: Record<string, string> = {}): Promise<Reply> => {
    const usual: Fields = {
      ...{ api_key: API_KEY, api_secret: API_SECRET, from: 'Acme', to: TO, text: 'Hello' },
      ...{ callback: `${bench.receiver.url}${PATH}`, 'client-ref': 'mid=1&attempt=1' },
    };
    const given = Object.entries({ ...usual, ...fields }).filter(
      ([, value]) => value !== undefined,
    );
    const form = new URLSearchParams(given as [string, string][]).toString();
    const type = 'application/x-www-form-urlencoded';
    return bench.call('POST', '/vonage/sms/json', { 'content-type': type, ...headers }, form);
  };
  const rows = async () => (await bench.control('GET', '/messages')).json;
  const statusOf = ({ json }: Reply) => json.messages[0].status as string;

  it('Vonage answers an accepted message as documented', async () => {
    const { status, json } = await send({});
    expect(status).toBe(200);
    expect(json).toEqual({
      'message-count': '1',
      messages: [
        {
          to: TO,
          'message-id': expect.stringMatching(/^0A[0-9A-F]{15}$/),
          status: '0',
          'remaining-balance': '15.53590000',
          'message-price': '0.03330000',
          network: '23420',
          'client-ref': 'mid=1&attempt=1',
        },
      ],
    });
    expect(await rows()).toMatchObject([
      { provider: 'vonage', to: `+${TO}`, from: 'Acme', body: 'Hello', segments: 1 },
    ]);
  });

  it('Vonage signs the report of a delivery', async () => {
    const { json } = await send({});
    const [receipt] = await bench.receiver.waitFor(1);
    expect(receipt!.path).toBe(PATH);
    expect(receipt!.headers['content-type']).toBe('application/json');
    expect(fieldsOf(receipt!)).toEqual({
      msisdn: TO,
      to: 'Acme',
      'network-code': '23420',
      messageId: json.messages[0]['message-id'],
      price: '0.03330000',
      status: 'delivered',
      scts: expect.stringMatching(/^\d{10}$/),
      'err-code': '0',
      'api-key': API_KEY,
      'client-ref': 'mid=1&attempt=1',
      'message-timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      timestamp: expect.stringMatching(/^\d{10}$/),
      nonce: expect.stringMatching(/^\w{32}$/),
      sig: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(isSigned(receipt!)).toBe(true);
  });

  it('Vonage gives each part of a long text an id and a receipt, and the handset shows one message', async () => {
    const { json } = await send({ text: 'A'.repeat(400) });
    const ids = json.messages.map((part: Record<string, string>) => part['message-id']);
    expect(json['message-count']).toBe('3');
    expect(new Set(ids).size).toBe(3);
    const receipts = await bench.receiver.waitFor(3);
    const reported = receipts.map((receipt) => fieldsOf(receipt).messageId);
    expect(reported.toSorted()).toEqual(ids.toSorted());
    expect(await rows()).toMatchObject([{ segments: 3, reference: ids[0] }]);
  });

  it('Vonage can refuse one part of a long text', async () => {
    await bench.scenario({ provider: 'vonage', submit: { kind: 'refuse', code: 5, part: 2 } });
    const { json } = await send({ text: 'A'.repeat(400) });
    const statuses = json.messages.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['0', '5', '0']);
    expect(await rows()).toEqual([]);
  });

  it('Vonage replaces characters outside GSM-7, unless the type is unicode', async () => {
    await send({ text: 'Déjà vu 🎉 ₦5' });
    await send({ text: 'Déjà vu 🎉 ₦5', type: 'unicode' });
    await send({ text: 'A'.repeat(71), type: 'unicode' });
    expect(await rows()).toMatchObject([
      { body: 'Déjà vu ? ?5', encoding: 'GSM-7' },
      { body: 'Déjà vu 🎉 ₦5', encoding: 'UCS-2' },
      { encoding: 'UCS-2', segments: 2 },
    ]);
  });

  it('Vonage plays the scenarios of a refusal, a fault and a throttle', async () => {
    const play = async (submit: object) => {
      await bench.scenario({ provider: 'vonage', submit, times: 1 });
      return send({});
    };
    expect(statusOf(await play({ kind: 'refuse' }))).toBe('6');
    expect(statusOf(await play({ kind: 'refuse', code: 7 }))).toBe('7');
    expect(statusOf(await play({ kind: 'refuse', code: '7' }))).toBe('7');
    expect((await play({ kind: 'http_status' })).status).toBe(503);
    const unauthorised = await play({ kind: 'http_status', status: 401 });
    expect([unauthorised.status, statusOf(unauthorised)]).toEqual([401, '4']);
    const throttled = await play({ kind: 'throttle', retry_after_s: 2 });
    expect([throttled.status, statusOf(throttled)]).toEqual([200, '1']);
    expect(throttled.headers['retry-after']).toBe('2');
  });
});

describe('Vonage without a signature secret', () => {
  it('Vonage without a signature secret signs nothing, and a forger does not know the path', async () => {
    const account = { apiKey: API_KEY, apiSecret: API_SECRET };
    const bench = await Bench.start(20, () => ({ vonage: account }));
    const receipts = [
      { after_ms: 0, outcome: 'failed', forged: true },
      { after_ms: 20, outcome: 'delivered' },
    ];
    await bench.scenario({ receipts });
    const callback = `${bench.receiver.url}${PATH}`;
    const body = JSON.stringify({
      ...{ api_key: API_KEY, api_secret: API_SECRET, from: 'Acme', to: TO, text: 'a', callback },
    });
    await bench.call('POST', '/vonage/sms/json', { 'content-type': 'application/json' }, body);
    const [forged, real] = await bench.receiver.waitFor(2);
    expect([forged!.path, real!.path]).toEqual(['/callbacks/vonage/forged', PATH]);
    expect(fieldsOf(real!)).not.toHaveProperty('sig');
    const inbound = { provider: 'vonage', from: `+${TO}`, to: 'Acme', body: 'STOP' };
    expect((await bench.control('POST', '/inbound', inbound)).status).toBe(400);
    await bench.close();
  });
});
