import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench, until } from './carrier-sim.kit.js';

const TO = '+2348031234567';

const provider = 'twilio';

describe('a scenario', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const rows = async () => (await bench.control('GET', '/messages')).json as unknown[];
  const send = (to = TO) => bench.twilio({ To: to });

  it('refuse: the answer has the code of the scenario, else no route', async () => {
    await bench.scenario({ provider, submit: { kind: 'refuse' } });
    expect((await send()).json.code).toBe(21612);
    for (const code of [21610, '21610']) {
      await bench.scenario({ provider, submit: { kind: 'refuse', code } });
      expect((await send()).json.code).toBe(21610);
    }
    expect(await rows()).toEqual([]);
  });

  it('http_status: the answer has the status and its Retry-After', async () => {
    await bench.scenario({
      provider,
      submit: { kind: 'http_status', status: 500, retry_after_s: 3 },
    });
    const reply = await send();
    expect(reply.status).toBe(500);
    expect(reply.headers['retry-after']).toBe('3');
    await bench.scenario({ provider, submit: { kind: 'http_status' } });
    expect((await send()).status).toBe(503);
    expect(await rows()).toEqual([]);
  });

  it('hang: the request is never answered, and nothing arrives', async () => {
    await bench.scenario({ provider, submit: { kind: 'hang' } });
    expect(await bench.isUnanswered(send())).toBe(true);
    expect(await rows()).toEqual([]);
    expect(bench.receiver.callbacks).toEqual([]);
  });

  it('reset: the connection breaks, and nothing arrives', async () => {
    await bench.scenario({ provider, submit: { kind: 'reset' } });
    await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await rows()).toEqual([]);
  });

  it('garbage: 200 with an unreadable body', async () => {
    await bench.scenario({ provider, submit: { kind: 'garbage' } });
    const reply = await send();
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
    await expect(send()).rejects.toThrow();
    expect(await rows()).toHaveLength(1);
    expect(await bench.receiver.waitFor(1)).toHaveLength(1);
  });

  it('delay_ms: a receipt may come before the answer', async () => {
    await bench.scenario({
      provider,
      submit: { kind: 'accept', delay_ms: 600_000 },
      receipts: [{ after_ms: 0, outcome: 'delivered' }],
    });
    const answer = send();
    answer.catch(() => undefined);
    await bench.receiver.waitFor(1);
    expect(await bench.isUnanswered(answer)).toBe(true);
    await bench.scenario({ provider, submit: { kind: 'accept', delay_ms: 20 } });
    expect((await send()).status).toBe(201);
  });

  it('receipts: all are sent, in the order of their times', async () => {
    await bench.scenario({
      provider,
      receipts: [
        { after_ms: 60, outcome: 'failed', code: 30003 },
        { after_ms: 0, outcome: 'buffered' },
        { after_ms: 30, outcome: 'delivered' },
        { after_ms: 30, outcome: 'delivered' },
      ],
    });
    await send();
    const reports = await bench.receiver.waitFor(4);
    expect(reports.map(({ form }) => form.MessageStatus)).toEqual([
      'sent',
      'delivered',
      'delivered',
      'undelivered',
    ]);
    expect(reports[3]!.form.ErrorCode).toBe('30003');
    expect(await rows()).toHaveLength(1);
  });

  it('the newest matching scenario wins until its times are used', async () => {
    await bench.scenario({ submit: { kind: 'http_status', status: 500 } });
    await bench.scenario({
      provider,
      to: TO,
      submit: { kind: 'http_status', status: 502 },
      times: 2,
    });
    await bench.scenario({ to: '+2348030000001', submit: { kind: 'http_status', status: 504 } });
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await send()).status);
    expect(statuses).toEqual([502, 502, 500]);
    await bench.control('DELETE', '/scenarios');
    expect((await send()).status).toBe(201);
  });

  it('a scenario wins over a magic number', async () => {
    await bench.scenario({ provider, submit: { kind: 'accept' }, times: 1 });
    const refused = '+2348030000016';
    await send(refused);
    expect(await rows()).toHaveLength(1);
    await send(refused);
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
