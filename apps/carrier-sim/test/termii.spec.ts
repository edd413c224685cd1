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

  it('Termii answers an accepted message as documented', async () => {
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

  it('Termii reports to the account, signed, with its own id only', async () => {
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

  it('Termii refuses with the text of a scenario, else for the route', async () => {
    await bench.scenario({ submit: { kind: 'refuse' }, times: 1 });
    const { status, json } = await submit();
    expect([status, json.message]).toEqual([400, 'You are not set up on this route']);
    await bench.scenario({ submit: { kind: 'refuse', code: 'Device not found' }, times: 1 });
    expect((await submit()).status).toBe(404);
  });
});
