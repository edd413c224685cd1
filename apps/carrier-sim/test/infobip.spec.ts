import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from './carrier-sim.kit.js';
import type { Callback, Reply } from './carrier-sim.kit.js';

const TO = '447400123456';
const API_KEY = 'key';
const PATH = '/callbacks/infobip/secret';
const SUBSCRIPTION = '/callbacks/infobip/subscription';
const CREDENTIALS = `Basic ${Buffer.from('infobip:password').toString('base64')}`;

type Json = Record<string, unknown>;

interface Result {
  messageId: string;
  status: { groupId: number; id: number };
  error: { id: number };
}

const resultsOf = ({ body }: Callback) => JSON.parse(body).results as Result[];

describe('Infobip', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start(20, (url) => ({
      infobip: {
        apiKey: API_KEY,
        callbackUsername: 'infobip',
        callbackPassword: 'password',
        callbackUrl: `${url}${SUBSCRIPTION}`,
      },
    }));
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const post = (body: unknown, key = API_KEY): Promise<Reply> => {
    const headers = { authorization: `App ${key}`, 'content-type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return bench.call('POST', '/infobip/sms/3/messages', headers, text);
  };
  /** `delivery` is that of `webhooks`. Undefined leaves a member out. */
  const messageOf = (changes: Json = {}, delivery: Json = {}) => ({
    sender: 'Acme',
    destinations: [{ to: TO }],
    content: { text: 'Hello' },
    webhooks: {
      delivery: { url: `${bench.receiver.url}${PATH}`, ...delivery },
      callbackData: 'mid=1',
    },
    ...changes,
  });
  const send = (changes: Json = {}, delivery: Json = {}) =>
    post({ messages: [messageOf(changes, delivery)] });
  const rows = async () => (await bench.control('GET', '/messages')).json;
  const statusOf = ({ json }: Reply) => {
    const { groupId, id } = json.messages[0].status;
    return [groupId, id];
  };

  it('Infobip answers an accepted message as documented', async () => {
    const { status, json } = await send({ destinations: [{ to: TO, messageId: 'ours-1' }] });
    expect(status).toBe(200);
    expect(json).toEqual({
      bulkId: expect.stringMatching(/^\d{20}$/),
      messages: [
        {
          messageId: 'ours-1',
          status: {
            groupId: 1,
            groupName: 'PENDING',
            id: 26,
            name: 'PENDING_ACCEPTED',
            description: 'Message sent to next instance',
          },
          destination: TO,
          details: { messageCount: 1 },
        },
      ],
    });
    expect(await rows()).toMatchObject([
      { provider: 'infobip', to: `+${TO}`, from: 'Acme', body: 'Hello', reference: 'ours-1' },
    ]);
  });

  it('Infobip sends one report for all parts', async () => {
    const { json } = await send({ content: { text: 'A'.repeat(200) } });
    const [report, ...others] = await bench.receiver.waitFor(1);
    expect(others).toEqual([]);
    expect(report!.path).toBe(PATH);
    expect(report!.headers).not.toHaveProperty('authorization');
    expect(JSON.parse(report!.body)).toEqual({
      results: [
        expect.objectContaining({
          messageId: json.messages[0].messageId,
          to: TO,
          sender: 'Acme',
          sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/),
          messageCount: 2,
          mccMnc: '23420',
          callbackData: 'mid=1',
          price: { pricePerMessage: 0.01, currency: 'EUR' },
          status: {
            groupId: 3,
            groupName: 'DELIVERED',
            id: 5,
            name: 'DELIVERED_TO_HANDSET',
            description: 'Message delivered to handset',
          },
          error: expect.objectContaining({ id: 0, name: 'NO_ERROR', permanent: false }),
        }),
      ],
    });
  });

  it('Infobip reports to the subscription, with its credentials, where the request names no URL', async () => {
    await send({}, { url: undefined });
    const [report] = await bench.receiver.waitFor(1);
    expect(report!.path).toBe(SUBSCRIPTION);
    expect(report!.headers.authorization).toBe(CREDENTIALS);
    bench.receiver.clear();
    await bench.scenario({ receipts: [{ after_ms: 0, outcome: 'failed', forged: true }] });
    await send({}, { url: undefined });
    const [forged] = await bench.receiver.waitFor(1);
    expect(forged!.headers.authorization).not.toBe(CREDENTIALS);
  });

  it('Infobip puts reports that are due together into one callback', async () => {
    await send({ destinations: [{ to: '2348030000005' }] });
    const [callback] = await bench.receiver.waitFor(1);
    expect(resultsOf(callback!).map(({ status }) => status.id)).toEqual([5, 5]);
  });

  it('Infobip answers for each destination of each message', async () => {
    const { json } = await post({
      messages: [
        messageOf({ destinations: [{ to: TO }, { to: '12' }] }),
        messageOf({ destinations: [{ to: '2348030000016' }] }),
      ],
    });
    const statuses = json.messages.map(({ status }: Result) => status.id);
    expect(statuses).toEqual([26, 52, 19]);
    expect(await rows()).toHaveLength(1);
  });

  it('Infobip plays the scenarios of a refusal, a fault and a throttle', async () => {
    const play = async (submit: object) => {
      await bench.scenario({ provider: 'infobip', submit, times: 1 });
      return send();
    };
    expect(statusOf(await play({ kind: 'refuse' }))).toEqual([5, 19]);
    for (const code of [14, '14', '5/14']) {
      expect(statusOf(await play({ kind: 'refuse', code }))).toEqual([5, 14]);
    }
    expect((await play({ kind: 'http_status' })).json.errorCode).toBe('E503');
    const throttled = await play({ kind: 'throttle', retry_after_s: 2 });
    expect([throttled.status, throttled.headers['retry-after']]).toEqual([429, '2']);
  });
});
