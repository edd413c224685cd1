import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from './carrier-sim.kit.js';
import type { Callback } from './carrier-sim.kit.js';

const TO = '2348031234567';
const API_KEY = 'TLtest';
const SECRET_KEY = 'termii_secret';
const SECRET_PATH = '/callbacks/termii/secret';

/** Written from Termii's description, independently of the tested code. */
function isSigned({ body, headers }: Callback): boolean {
  const expected = createHmac('sha512', SECRET_KEY).update(body).digest('hex');
  return headers['x-termii-signature'] === expected;
}

describe('Termii', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start(20, (url) => ({
      termii: { apiKey: API_KEY, secretKey: SECRET_KEY, callbackUrl: url + SECRET_PATH },
    }));
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const post = (body: string) =>
    bench.call('POST', '/termii/api/sms/send', { 'content-type': 'application/json' }, body);
  /** Undefined leaves a member out. */
  const submit = (fields: Record<string, unknown> = {}) => {
    const usual = { to: TO, from: 'Acme', sms: 'Hello', type: 'plain', channel: 'dnd' };
    return post(JSON.stringify({ api_key: API_KEY, ...usual, ...fields }));
  };
  const rows = async () => (await bench.control('GET', '/messages')).json;
  const events = async (count: number) =>
    (await bench.receiver.waitFor(count)).map(({ body }) => JSON.parse(body));

  it('accepts a message, in the shape of the real answer', async () => {
    const { status, json } = await submit();
    expect(status).toBe(200);
    expect(json).toEqual({
      code: 'ok',
      balance: expect.any(Number),
      message_id: expect.stringMatching(/^3017\d{21}$/),
      message: 'Successfully Sent',
      user: expect.any(String),
    });
    expect(await rows()).toMatchObject([{ provider: 'termii', to: `+${TO}`, from: 'Acme' }]);
  });

  it('reports to the account, signed and naming only its own id', async () => {
    const { json } = await submit({ channel: 'generic' });
    const [sent, delivered] = await events(2);
    expect(sent).toEqual({
      type: 'outbound',
      id: expect.any(String),
      message_id: json.message_id,
      receiver: TO,
      sender: 'Acme',
      message: 'Hello',
      sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      cost: '4',
      status: 'Message Sent',
      channel: 'GENERIC',
    });
    expect(delivered).toEqual({ ...sent, status: 'DELIVERED' });
    for (const callback of bench.receiver.callbacks) {
      expect(callback.path).toBe(SECRET_PATH);
      expect(callback.headers['content-type']).toBe('application/json');
      expect(isSigned(callback)).toBe(true);
    }
  });

  it('reports to the URL the account is set to, and nowhere without one', async () => {
    const callbackUrl = (callback_url: string | null) =>
      bench.control('PUT', '/accounts/termii', { callback_url });
    await callbackUrl(null);
    await submit();
    await callbackUrl(`${bench.receiver.url}/elsewhere`);
    await submit();
    await bench.receiver.waitFor(2);
    const paths = bench.receiver.callbacks.map(({ path }) => path);
    expect(paths).toEqual(['/elsewhere', '/elsewhere']);
    await callbackUrl(`${bench.receiver.url}${SECRET_PATH}`);
  });

  it.each<[string, Record<string, unknown>, number, string]>([
    ['a wrong key', { api_key: 'wrong' }, 401, 'Unauthorized'],
    ['no key', { api_key: undefined }, 401, 'Unauthorized'],
    ['no number', { to: undefined }, 422, 'The to field is required.'],
    ['a list of numbers', { to: [TO] }, 422, 'The to field is required.'],
    ['a number with a plus', { to: `+${TO}` }, 422, 'Invalid phone number'],
    ['a sender of 2 letters', { from: 'Ac' }, 404, 'Invalid Sender Id'],
    ['a sender of 12 letters', { from: 'AcmeAcmeAcme' }, 404, 'Invalid Sender Id'],
    ['no text', { sms: '' }, 422, 'The sms field is required.'],
    ['an unknown type', { type: 'flash' }, 422, 'The selected type is invalid.'],
    ['an unknown channel', { channel: 'voice' }, 422, 'The selected channel is invalid.'],
    ['a channel without a device', { channel: 'whatsapp' }, 404, 'Device not found'],
  ])('refuses %s', async (_name, fields, status, message) => {
    const reply = await submit(fields);
    expect([reply.status, reply.json]).toEqual([
      status,
      { code: status, message, status: 'error' },
    ]);
    expect(await rows()).toEqual([]);
  });

  it('refuses what is not JSON, and what is no object', async () => {
    expect((await post('{')).status).toBe(401);
    expect((await post('[]')).status).toBe(401);
    expect((await post('null')).status).toBe(401);
  });

  it('refuses with the words of a scenario, without any as on another route', async () => {
    await bench.scenario({ submit: { kind: 'refuse' }, times: 1 });
    const { status, json } = await submit();
    expect([status, json.message]).toEqual([400, 'You are not set up on this route']);
    await bench.scenario({ submit: { kind: 'refuse', code: 'Device not found' }, times: 1 });
    expect((await submit()).status).toBe(404);
  });

  describe('native words of the magic numbers', () => {
    it.each([
      [15, 404, 'Invalid Sender Id'],
      [16, 400, 'You are not set up on this route'],
      [22, 422, 'Invalid phone number'],
      [25, 422, 'Invalid phone number'],
      [27, 400, 'Insufficient balance'],
      [28, 503, 'Service Unavailable'],
      [39, 429, 'Too Many Requests'],
    ])('%i is refused with %i %s', async (digits, status, message) => {
      const reply = await submit({ to: `23480300000${digits}` });
      expect([reply.status, reply.json.message]).toEqual([status, message]);
      expect(await rows()).toEqual([]);
    });

    it.each([
      ...[10, 11, 12, 13, 14, 17, 18, 24].map((digits) => [digits, 'Message Failed'] as const),
      [19, 'Expired'],
      [21, 'DND Active on Phone Number'],
      [23, 'Foo'],
    ] as const)('%i is accepted, then %s', async (digits, status) => {
      expect((await submit({ to: `2547120000${digits}` })).status).toBe(200);
      const [sent, failed] = await events(2);
      expect([sent.status, failed.status]).toEqual(['Message Sent', status]);
      expect(await rows()).toEqual([]);
    });

    it('20 is delivered: Termii knows no opt-outs', async () => {
      await submit({ to: '2348030000020' });
      expect((await events(2)).at(-1).status).toBe('DELIVERED');
    });
  });

  it('signs a forged report with another key', async () => {
    await bench.scenario({
      receipts: [
        { after_ms: 0, outcome: 'failed', forged: true },
        { after_ms: 20, outcome: 'delivered' },
      ],
    });
    await submit();
    const [forged, real] = await bench.receiver.waitFor(2);
    expect([isSigned(forged!), isSigned(real!)]).toEqual([false, true]);
  });

  it('brings a message from a handset, signed', async () => {
    const message = { provider: 'termii', from: `+${TO}`, to: '2347010000000', body: 'Stop €' };
    expect((await bench.control('POST', '/inbound', message)).status).toBe(201);
    const [callback] = await bench.receiver.waitFor(1);
    expect(isSigned(callback!)).toBe(true);
    expect(JSON.parse(callback!.body)).toMatchObject({
      type: 'inbound',
      sender: TO,
      receiver: '2347010000000',
      message: 'Stop €',
      status: 'Received',
    });
  });
});
