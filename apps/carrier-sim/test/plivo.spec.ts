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
  const submit = (fields: Record<string, unknown> = {}) => {
    const usual = { src: 'Acme', dst: TO, text: 'Hello', url: callbackUrl(), method: 'POST' };
    const basic = Buffer.from(`${AUTH_ID}:${AUTH_TOKEN}`).toString('base64');
    return bench.call(
      'POST',
      `/plivo/v1/Account/${AUTH_ID}/Message/`,
      { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      JSON.stringify({ ...usual, ...fields }),
    );
  };
  const rows = async () => (await bench.control('GET', '/messages')).json;

  it('Plivo answers an accepted message as documented', async () => {
    const { status, json } = await submit();
    expect(status).toBe(202);
    expect(json).toEqual({
      api_id: expect.stringMatching(UUID),
      message: 'message(s) queued',
      message_uuid: [expect.stringMatching(UUID)],
    });
    expect(await rows()).toMatchObject([{ provider: 'plivo', to: `+${TO}`, from: 'Acme' }]);
  });

  it('Plivo reports sent, then delivered, both signed over the callback URL', async () => {
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

  it('Plivo reports each part of a long message', async () => {
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

  it('Plivo refuses with the code of a scenario, else for the country', async () => {
    await bench.scenario({ submit: { kind: 'refuse' }, times: 1 });
    const country = await submit();
    expect([country.status, country.json.error]).toEqual([403, expect.stringMatching('country')]);
    for (const [code, status] of Object.entries({ 402: 402, 'HTTP 405': 405, src: 400 })) {
      await bench.scenario({ submit: { kind: 'refuse', code }, times: 1 });
      expect((await submit()).status).toBe(status);
    }
  });
});
