import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench, until } from './carrier-sim.kit.js';
import type { Reply } from './carrier-sim.kit.js';

const TO = '+2348031234567';

type Send = (bench: Bench, to: string) => Promise<Reply>;

/** Both carriers are asked everything. They differ in the form of a refusal. */
const carriers: Record<string, { send: Send; refusal: (reply: Reply) => unknown[] }> = {
  twilio: {
    send: (bench, to) => bench.twilio({ To: to }),
    refusal: ({ status, json }) => [status, json.code],
  },
  africas_talking: {
    send: (bench, to) => bench.africasTalking({ phoneNumbers: [to] }),
    refusal: ({ status, json }) => [status, json.SMSMessageData.Recipients[0].statusCode],
  },
};

describe.each(Object.entries(carriers))('a scenario for %s', (provider, { send, refusal }) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const rows = async () => (await bench.control('GET', '/messages')).json as unknown[];

  it('accept: delivers', async () => {
    await bench.scenario({ provider, submit: { kind: 'accept' } });
    expect((await send(bench, TO)).status).toBe(201);
    expect(await rows()).toHaveLength(1);
    expect(await bench.receiver.waitFor(1)).not.toHaveLength(0);
  });

  it('refuse: with the code given, as number or text, or no route', async () => {
    await bench.scenario({ provider, submit: { kind: 'refuse' } });
    const noRoute = { twilio: [400, 21612], africas_talking: [201, 407] }[provider];
    expect(refusal(await send(bench, TO))).toEqual(noRoute);
    const optedOut = { twilio: 21610, africas_talking: 406 }[provider]!;
    for (const code of [optedOut, String(optedOut)]) {
      await bench.scenario({ provider, submit: { kind: 'refuse', code } });
      expect(refusal(await send(bench, TO))[1]).toBe(optedOut);
    }
    expect(await rows()).toEqual([]);
  });

  it('http_status: with its Retry-After', async () => {
    await bench.scenario({
      provider,
      submit: { kind: 'http_status', status: 500, retry_after_s: 3 },
    });
    const reply = await send(bench, TO);
    expect(reply.status).toBe(500);
    expect(reply.headers['retry-after']).toBe('3');
    await bench.scenario({ provider, submit: { kind: 'http_status' } });
    expect((await send(bench, TO)).status).toBe(503);
    expect(await rows()).toEqual([]);
  });

  it('throttle: 429 with Retry-After, one second unless told', async () => {
    await bench.scenario({ provider, submit: { kind: 'throttle' } });
    const reply = await send(bench, TO);
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '1']);
    await bench.scenario({ provider, submit: { kind: 'throttle', retry_after_s: 7 } });
    expect((await send(bench, TO)).headers['retry-after']).toBe('7');
  });

  it('hang: never answers, and nothing arrives', async () => {
    await bench.scenario({ provider, submit: { kind: 'hang' } });
    expect(await bench.isUnanswered(send(bench, TO))).toBe(true);
    expect(await rows()).toEqual([]);
    expect(bench.receiver.callbacks).toEqual([]);
  });

  it('reset: the connection breaks, and nothing arrives', async () => {
    await bench.scenario({ provider, submit: { kind: 'reset' } });
    await expect(send(bench, TO)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await rows()).toEqual([]);
  });

  it('garbage: 200 with an unreadable body', async () => {
    await bench.scenario({ provider, submit: { kind: 'garbage' } });
    const reply = await send(bench, TO);
    expect(reply.status).toBe(200);
    expect(() => JSON.parse(reply.text)).toThrow();
    expect(await rows()).toEqual([]);
  });

  it('accept_then_lose_answer: the connection breaks, but the message arrives', async () => {
    await bench.scenario({
      provider,
      submit: { kind: 'accept_then_lose_answer' },
      receipts: [{ after_ms: 10, outcome: 'delivered' }],
    });
    await expect(send(bench, TO)).rejects.toThrow();
    expect(await rows()).toHaveLength(1);
    expect(await bench.receiver.waitFor(1)).toHaveLength(1);
  });

  it('delay_ms: the receipt overtakes the answer', async () => {
    await bench.scenario({
      provider,
      submit: { kind: 'accept', delay_ms: 600_000 },
      receipts: [{ after_ms: 0, outcome: 'delivered' }],
    });
    const answer = send(bench, TO);
    answer.catch(() => undefined);
    await bench.receiver.waitFor(1);
    expect(await bench.isUnanswered(answer)).toBe(true);
    await bench.scenario({ provider, submit: { kind: 'accept', delay_ms: 20 } });
    expect((await send(bench, TO)).status).toBe(201);
  });

  it('receipts: in their order, interim ones too, duplicates together', async () => {
    await bench.scenario({
      provider,
      receipts: [
        { after_ms: 60, outcome: 'failed', code: provider === 'twilio' ? 30003 : 'UserIsInactive' },
        { after_ms: 0, outcome: 'buffered' },
        { after_ms: 30, outcome: 'delivered' },
        { after_ms: 30, outcome: 'delivered' },
      ],
    });
    await send(bench, TO);
    const reports = await bench.receiver.waitFor(4);
    const words = reports.map(({ form }) => form.MessageStatus ?? form.status);
    const details = reports.map(({ form }) => form.ErrorCode ?? form.failureReason);
    expect(words).toEqual(
      provider === 'twilio'
        ? ['sent', 'delivered', 'delivered', 'undelivered']
        : ['Buffered', 'Success', 'Success', 'Failed'],
    );
    expect(details[3]).toBe(provider === 'twilio' ? '30003' : 'UserIsInactive');
    expect(await rows()).toHaveLength(1);
  });

  it('receipts: none, and the message arrives all the same', async () => {
    await bench.scenario({ provider, receipts: [] });
    await send(bench, TO);
    await bench.settled();
    expect(bench.receiver.callbacks).toEqual([]);
    expect(await rows()).toHaveLength(1);
  });

  it('a failed receipt: no row, no code needed', async () => {
    await bench.scenario({ provider, receipts: [{ after_ms: 0, outcome: 'failed' }] });
    await send(bench, TO);
    const [report] = await bench.receiver.waitFor(1);
    expect(report!.form.ErrorCode ?? report!.form.failureReason).toBe(
      provider === 'twilio' ? '30008' : 'DeliveryFailure',
    );
    expect(await rows()).toEqual([]);
  });

  it('the newest match wins, and times runs out', async () => {
    await bench.scenario({ submit: { kind: 'http_status', status: 500 } });
    await bench.scenario({
      provider,
      to: TO,
      submit: { kind: 'http_status', status: 502 },
      times: 2,
    });
    await bench.scenario({ to: '+2348030000001', submit: { kind: 'http_status', status: 504 } });
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await send(bench, TO)).status);
    expect(statuses).toEqual([502, 502, 500]);
    await bench.control('DELETE', '/scenarios');
    expect((await send(bench, TO)).status).toBe(201);
  });

  it('leaves other carriers alone', async () => {
    const other = provider === 'twilio' ? 'africas_talking' : 'twilio';
    await bench.scenario({ provider: other, submit: { kind: 'http_status', status: 500 } });
    expect((await send(bench, TO)).status).toBe(201);
  });

  it('goes before a magic number', async () => {
    await bench.scenario({ provider, submit: { kind: 'accept' }, times: 1 });
    const refused = '+2348030000016';
    await send(bench, refused);
    expect(await rows()).toHaveLength(1);
    await send(bench, refused);
    expect(await rows()).toHaveLength(1);
  });
});

describe('/_simulator', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const putCallbackUrl = (provider: string, callback_url: unknown) =>
    bench.control('PUT', `/accounts/${provider}`, { callback_url });

  it('shows what reached a handset, one row per whole message, oldest first', async () => {
    const body = '中'.repeat(71);
    const { json } = await bench.twilio({ To: TO, Body: body });
    await bench.africasTalking({ phoneNumbers: ['+254711000001'], message: 'Your code is 123456' });
    const reply = await bench.control('GET', '/messages');
    expect(reply.json).toEqual([
      {
        provider: 'twilio',
        to: TO,
        from: 'Acme',
        body,
        encoding: 'UCS-2',
        segments: 2,
        reference: json.sid,
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      expect.objectContaining({ provider: 'africas_talking', body: 'Your code is 123456' }),
    ]);
    await bench.control('DELETE', '/messages');
    expect((await bench.control('GET', '/messages')).json).toEqual([]);
  });

  it('finds messages by number in every spelling, and by time', async () => {
    await bench.twilio({ To: TO });
    await bench.twilio({ To: '+254711000001' });
    for (const spelling of [TO, encodeURIComponent(TO), `%20${TO.slice(1)}`, TO.slice(1)]) {
      const { json } = await bench.control('GET', `/messages?to=${spelling}`);
      expect(json).toMatchObject([{ to: TO }]);
    }
    const { received_at: before } = (await bench.control('GET', '/messages')).json.at(-1);
    const later = Date.parse(before) + 1;
    await until(() => Date.now() >= later);
    await bench.twilio({ To: TO, Body: 'later' });
    for (const since of [new Date(later).toISOString(), later]) {
      const { json } = await bench.control('GET', `/messages?to=${TO}&since=${since}`);
      expect(json).toMatchObject([{ body: 'later' }]);
    }
    expect((await bench.control('GET', '/messages?since=yesterday')).status).toBe(400);
  });

  it.each<[unknown, string]>([
    [undefined, 'the body must be object'],
    [
      { submit: { kind: 'explode' } },
      'submit.kind must be equal to one of the allowed values: acc',
    ],
    [{ submit: {} }, "submit must have required property 'kind'"],
    [{ provider: 'carrier' }, 'provider must be equal to one of'],
    [{ to: '0803' }, 'to must match pattern'],
    [{ times: 0 }, 'times must be >= 1'],
    [{ times: '2' }, 'times must be integer'],
    [{ receipts: [{ outcome: 'delivered' }] }, "receipts.0 must have required property 'after_ms'"],
    [
      { receipts: [{ after_ms: 1, outcome: 'lost' }] },
      'receipts.0.outcome must be equal to one of',
    ],
    [{ recepits: [] }, 'the body must NOT have additional properties: recepits'],
  ])('answers 400 to the scenario %j', async (scenario, message) => {
    const { status, json } = await bench.control('POST', '/scenarios', scenario);
    expect(status).toBe(400);
    expect(json.error.message).toContain(message);
  });

  it('answers 400 to a scenario that is not JSON', async () => {
    const { status, json } = await bench.call(
      'POST',
      '/_simulator/scenarios',
      { 'content-type': 'application/json' },
      '{',
    );
    expect([status, json.error.message]).toEqual([400, 'the body is not JSON']);
  });

  it('accepts every provider of the product and answers with an id', async () => {
    for (const provider of ['vonage', 'infobip', 'termii', 'plivo', 'smpp']) {
      const { status, json } = await bench.control('POST', '/scenarios', { provider });
      expect([status, typeof json.id]).toEqual([201, 'string']);
    }
  });

  it('sets a callback URL only where the carrier has one per account', async () => {
    expect((await putCallbackUrl('africas_talking', 'callbacks')).status).toBe(400);
    expect((await putCallbackUrl('africas_talking', 5)).status).toBe(400);
    expect((await putCallbackUrl('twilio', 'http://127.0.0.1/')).status).toBe(400);
    expect((await putCallbackUrl('carrier', 'http://127.0.0.1/')).status).toBe(404);
  });

  it('is healthy', async () => {
    const { status, json } = await bench.control('GET', '/health');
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: 'ok', providers: ['twilio', 'africas_talking'] });
  });

  it('tries a callback again that met an error, and no other', async () => {
    await bench.scenario({ receipts: [{ after_ms: 0, outcome: 'delivered' }] });
    bench.receiver.statuses = [503];
    await bench.twilio({ To: TO });
    const [first, second] = await bench.receiver.waitFor(2);
    expect(second!.form).toEqual(first!.form);
    bench.receiver.clear();
    bench.receiver.statuses = [401];
    await bench.twilio({ To: TO });
    await bench.receiver.waitFor(1);
    await bench.settled();
    expect(bench.receiver.callbacks).toHaveLength(1);
  });

  it('closes while exchanges hang and receipts wait', async () => {
    const other = await Bench.start();
    await other.scenario({ to: TO, submit: { kind: 'hang' }, times: 1 });
    const hanging = other.twilio({ To: TO }).catch((error: unknown) => error);
    expect(await other.isUnanswered(hanging)).toBe(true);
    await other.twilio({ To: '+2348030000002' });
    await other.simulator.close();
    expect(await hanging).toBeInstanceOf(Error);
    await other.receiver.close();
  });
});
