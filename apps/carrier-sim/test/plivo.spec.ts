import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from './carrier-sim.kit.js';
import type { Callback } from './carrier-sim.kit.js';

const TO = '2348031234567';
const AUTH_ID = 'MA000000000000000001';
const AUTH_TOKEN = 'plivo_token';
const SECRET_PATH = '/callbacks/plivo/secret';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Written from Plivo's description, independently of the tested code. */
function isSigned({ path, headers }: Callback, receiverUrl: string): boolean {
  const nonce = String(headers['x-plivo-signature-v2-nonce']);
  const expected = createHmac('sha256', AUTH_TOKEN)
    .update(`${receiverUrl}${path.split('?')[0]}${nonce}`)
    .digest('base64');
  return headers['x-plivo-signature-v2'] === expected;
}

describe('Plivo', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start(20, (url) => ({
      plivo: { authId: AUTH_ID, authToken: AUTH_TOKEN, callbackUrl: url + SECRET_PATH },
    }));
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const callbackUrl = () => `${bench.receiver.url}${SECRET_PATH}?mid=1`;
  /** Undefined leaves a member out. */
  const submit = (
    fields: Record<string, unknown> = {},
    { token = AUTH_TOKEN, id = AUTH_ID } = {},
  ) => {
    const usual = { src: 'Acme', dst: TO, text: 'Hello', url: callbackUrl(), method: 'POST' };
    const basic = Buffer.from(`${AUTH_ID}:${token}`).toString('base64');
    return bench.call(
      'POST',
      `/plivo/v1/Account/${id}/Message/`,
      { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      JSON.stringify({ ...usual, ...fields }),
    );
  };
  const rows = async () => (await bench.control('GET', '/messages')).json;

  it('accepts a message, in the shape of the real answer', async () => {
    const { status, json } = await submit();
    expect(status).toBe(202);
    expect(json).toEqual({
      api_id: expect.stringMatching(UUID),
      message: 'message(s) queued',
      message_uuid: [expect.stringMatching(UUID)],
    });
    expect(await rows()).toMatchObject([{ provider: 'plivo', to: `+${TO}`, from: 'Acme' }]);
  });

  it('reports sent, then delivered, both signed over the exact callback URL', async () => {
    const { json } = await submit();
    const [sent, delivered] = await bench.receiver.waitFor(2);
    expect(sent!.form).toEqual({
      MessageUUID: json.message_uuid[0],
      ParentMessageUUID: json.message_uuid[0],
      PartInfo: '1 of 1',
      Sequence: '2',
      To: TO,
      From: 'Acme',
      Type: 'sms',
      Status: 'sent',
      Units: '1',
      TotalRate: '0.00350',
      TotalAmount: '0.00350',
      MCC: '621',
      MNC: '30',
      ErrorCode: '',
      MessageTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/),
      QueuedTime: expect.any(String),
      SentTime: expect.any(String),
      DeliveryReportTime: '',
      PowerpackUUID: '',
    });
    expect(delivered!.form).toMatchObject({ Status: 'delivered', ErrorCode: '000', Sequence: '3' });
    for (const callback of [sent!, delivered!]) {
      expect(callback.path).toBe(`${SECRET_PATH}?mid=1`);
      expect(callback.headers['content-type']).toBe('application/x-www-form-urlencoded');
      expect(callback.headers['x-plivo-signature-v2-nonce']).toMatch(/^\d{20}$/);
      expect(isSigned(callback, bench.receiver.url)).toBe(true);
    }
  });

  it('reports each part of a long message by itself', async () => {
    const { json } = await submit({ text: 'A'.repeat(161) });
    const callbacks = await bench.receiver.waitFor(4);
    const parts = callbacks.map(({ form }) => `${form.Status} ${form.PartInfo}`);
    expect(parts.toSorted()).toEqual([
      'delivered 1 of 2',
      'delivered 2 of 2',
      'sent 1 of 2',
      'sent 2 of 2',
    ]);
    const parents = new Set(callbacks.map(({ form }) => form.ParentMessageUUID));
    expect([...parents]).toEqual(json.message_uuid);
    expect(new Set(callbacks.map(({ form }) => form.MessageUUID)).size).toBe(2);
    expect(await rows()).toHaveLength(1);
  });

  it('reports nothing without a URL', async () => {
    const silent = await submit({ url: undefined });
    await submit();
    await bench.receiver.waitFor(2);
    const ids = bench.receiver.callbacks.map(({ form }) => form.MessageUUID);
    expect(ids).not.toContain(silent.json.message_uuid[0]);
  });

  it('refuses wrong credentials with 401 and text, a foreign account with 404', async () => {
    const stranger = await submit({}, { token: 'wrong' });
    expect([stranger.status, stranger.headers['www-authenticate']]).toEqual([
      401,
      'Basic realm="Login Required"',
    ]);
    expect(stranger.text).toContain('Could not verify');
    const foreign = await submit({}, { id: 'MA1' });
    expect([foreign.status, foreign.json.error]).toEqual([404, 'not found']);
    expect(await rows()).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no src', { src: undefined }, 'src parameter not present'],
    ['a src of 12 letters', { src: 'AcmeAcmeAcme' }, 'src parameter is invalid'],
    ['no dst', { dst: undefined }, 'dst parameter not present'],
    ['a dst of letters', { dst: 'Acme' }, 'dst parameter is invalid'],
    ['several numbers', { dst: `${TO}<447700900001` }, 'dst parameter is invalid'],
    ['no text', { text: '' }, 'text parameter not present'],
    ['1,601 characters', { text: 'A'.repeat(1_601) }, 'text parameter is invalid'],
    ['738 Unicode characters', { text: 'Ẹ'.repeat(738) }, 'text parameter is invalid'],
    ['a callback that is no URL', { url: 'callbacks' }, 'url parameter is invalid'],
    ['a callback by GET', { method: 'GET' }, 'method parameter is invalid'],
    ['an expiry of 4 s', { message_expiry: 4 }, 'message_expiry parameter is invalid'],
    ['an expiry of 3 h', { message_expiry: 10_800 }, 'message_expiry parameter is invalid'],
  ])('refuses %s', async (_name, fields, error) => {
    const { status, json } = await submit(fields);
    expect([status, json]).toEqual([400, { api_id: expect.stringMatching(UUID), error }]);
    expect(await rows()).toEqual([]);
  });

  it('strips what fills a number', async () => {
    expect((await submit({ dst: '+234 (803) 123-45.67' })).status).toBe(202);
    expect(await rows()).toMatchObject([{ to: `+${TO}` }]);
  });

  it('refuses with the code of a scenario, without one for the country', async () => {
    await bench.scenario({ submit: { kind: 'refuse' }, times: 1 });
    const country = await submit();
    expect([country.status, country.json.error]).toEqual([403, expect.stringMatching('country')]);
    for (const [code, status] of Object.entries({ 402: 402, 'HTTP 405': 405, src: 400 })) {
      await bench.scenario({ submit: { kind: 'refuse', code }, times: 1 });
      expect((await submit()).status).toBe(status);
    }
  });

  describe('native codes of the magic numbers', () => {
    it.each([
      [15, 400, 'src parameter is invalid'],
      [16, 403, expect.stringContaining('geo permissions')],
      [25, 400, 'dst parameter is invalid'],
      [27, 402, 'insufficient credit'],
    ])('%i is refused with %i', async (digits, status, error) => {
      const reply = await submit({ dst: `23480300000${digits}` });
      expect([reply.status, reply.json.error]).toEqual([status, error]);
      expect(await rows()).toEqual([]);
    });

    it.each([
      [10, 'undelivered', '70'],
      [11, 'undelivered', '80'],
      [12, 'undelivered', '20'],
      [13, 'undelivered', '100'],
      [14, 'undelivered', '30'],
      [17, 'undelivered', '20'],
      [18, 'undelivered', '100'],
      [19, 'failed', '420'],
      [20, 'failed', '200'],
      [21, 'undelivered', '100'],
      [22, 'failed', '50'],
      [23, 'undelivered', '9999'],
      [24, 'failed', '450'],
    ])('%i is accepted, then %s with %s', async (digits, status, code) => {
      expect((await submit({ dst: `2547120000${digits}` })).status).toBe(202);
      const [sent, failed] = await bench.receiver.waitFor(2);
      expect(sent!.form.Status).toBe('sent');
      expect(failed!.form).toMatchObject({ Status: status, ErrorCode: code });
      expect(isSigned(failed!, bench.receiver.url)).toBe(true);
      expect(await rows()).toEqual([]);
    });
  });

  it('signs a forged receipt with another token', async () => {
    await bench.scenario({
      receipts: [
        { after_ms: 0, outcome: 'failed', forged: true },
        { after_ms: 20, outcome: 'delivered' },
      ],
    });
    await submit();
    const [forged, real] = await bench.receiver.waitFor(2);
    const { url } = bench.receiver;
    expect([isSigned(forged!, url), isSigned(real!, url)]).toEqual([false, true]);
  });

  it('brings a message from a handset to the URL of the application, signed', async () => {
    const message = { provider: 'plivo', from: `+${TO}`, to: '14155550100', body: 'Stop' };
    expect((await bench.control('POST', '/inbound', message)).status).toBe(201);
    const [callback] = await bench.receiver.waitFor(1);
    expect(callback!.path).toBe(SECRET_PATH);
    expect(isSigned(callback!, bench.receiver.url)).toBe(true);
    expect(callback!.form).toMatchObject({
      From: TO,
      To: '14155550100',
      Text: 'Stop',
      MessageIntent: 'optout',
    });
  });
});
