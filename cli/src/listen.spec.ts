import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '../../sdks/typescript/src/index.js';
import { type ScriptedServer, startScriptedServer } from '../../tools/sdks/scripted-server.mjs';
import { type Desk, openDesk } from './terminal.kit.js';

interface Received {
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: { sequence: number };
}

const secret = `whsec_${Buffer.alloc(32, 'k').toString('base64')}`;
const event = (sequence: number, name = 'sms.delivered') => ({
  event: name,
  timestamp: '2026-11-21T00:08:48Z',
  data: { id: `id-${sequence}`, status: 'delivered' },
  sequence,
});
const page = (...data: unknown[]) => ({ status: 200, body: { data } });

let desk: Desk;
let receiver: ScriptedServer;
const received = () => receiver.requests as Received[];
const asked = () => (desk.server.requests as Received[]).map(({ query }) => query['after']);
beforeAll(async () => {
  desk = await openDesk();
  receiver = await startScriptedServer();
});
afterAll(() => {
  desk.server.close();
  receiver.close();
});
beforeEach(() => {
  desk.files.clear();
  desk.sleepsMax = Infinity;
});

describe('watchword listen', () => {
  it('forwards each event once, signed in all forms, and shows the answer', async () => {
    receiver.script([{ status: 204 }, { status: 200 }]);
    desk.sleepsMax = 2;
    const line = `listen --forward-to ${receiver.url}/hook --after 4 --secret ${secret}`;
    const { code, output } = await desk.run(line, [page(event(5)), page(event(6))]);
    expect(code).toBe(130);
    expect(asked()).toEqual(['4', '5']);
    expect(received().map(({ body }) => body.sequence)).toEqual([5, 6]);
    expect(output).toMatch(/sms\.delivered +#5 {2}204 {2}\d+ ms\n.*sms\.delivered +#6 {2}200 /);
    const { headers, body } = received()[0]!;
    const now = () => desk.terminal.now();
    for (const names of [
      ['svc-signature'],
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      ['x-svc-signature'],
    ]) {
      const own = Object.fromEntries(names.map((name) => [name, headers[name]]));
      const options = { now, acceptUntimed: true };
      expect(await verifyWebhook(JSON.stringify(body), own, secret, options)).toEqual(event(5));
    }
  });

  it('tries a failing receiver three times, and says how to send the event again', async () => {
    receiver.script([{ status: 500 }, { fault: 'cut' }, { status: 503 }]);
    desk.sleepsMax = 3;
    const line = `listen --forward-to ${receiver.url} --after 4 --secret ${secret}`;
    const { output, notes } = await desk.run(line, [page(event(5))]);
    expect(desk.sleeps).toEqual([1_000, 5_000, 1_000]);
    expect(output).toMatch(/500 .*\n.*no answer: .*try 2\n.*503 .*try 3\n/);
    expect(notes).toContain(`watchword events replay --forward-to ${receiver.url} --sequence 5`);
  });

  it('forwards only the events that are wanted', async () => {
    receiver.script([{ status: 200 }]);
    desk.sleepsMax = 1;
    const line = `listen --forward-to ${receiver.url} --after 0 --events sms.failed --secret ${secret}`;
    await desk.run(line, [page(), page(event(1), event(2, 'sms.failed'))]);
    expect(received().map(({ body }) => body.sequence)).toEqual([2]);
  });

  it('asks the API about each name of --events, which refuses unknown ones', async () => {
    const message = 'type must be "sms.sent".';
    const refused = { status: 400, body: { error: { type: 'validation_error', message } } };
    const line = `listen --forward-to ${receiver.url} --events sms.sent,sms.sennt`;
    const { code, notes } = await desk.run(line, [page(), refused]);
    expect([code, notes]).toEqual([2, `Error: ${message}\n`]);
    const names = (desk.server.requests as Received[]).map(({ query }) => query['type']);
    expect(names).toEqual(['sms.sent', 'sms.sennt']);
  });

  it('goes on where the API cannot be reached for a while', async () => {
    receiver.script([{ status: 200 }]);
    const cut = { fault: 'cut' };
    desk.sleepsMax = 5;
    const line = `listen --forward-to ${receiver.url} --after 4 --secret ${secret}`;
    const { notes } = await desk.run(line, [cut, cut, cut, cut, page(event(5))]);
    expect(notes).toContain('No complete answer came');
    expect(received()).toHaveLength(1);
  });

  it.each([0, 1, 2, 37, 200])('begins after the last of %d events', async (count) => {
    desk.sleepsMax = 1;
    const events = Array.from({ length: count }, (_, index) => event(index + 1));
    const answer = ({ query }: { query: Record<string, string> }) =>
      page(...events.slice(Number(query['after'])).slice(0, Number(query['limit'])));
    const line = `listen --forward-to ${receiver.url} --secret ${secret}`;
    const { notes } = await desk.run(
      line,
      Array.from({ length: 40 }, () => answer),
    );
    expect(notes).toContain(`Forwarding events after #${count} `);
  });

  it('makes a secret once, and keeps it for later runs', async () => {
    desk.sleepsMax = 1;
    const line = `listen --forward-to ${receiver.url} --after 0`;
    const first = await desk.run(line, [page()]);
    const again = await desk.run(line, [page()]);
    const secretOf = ({ notes }: { notes: string }) => /whsec_\S{44}/.exec(notes)?.[0];
    expect(secretOf(first)).toBeDefined();
    expect(secretOf(again)).toBe(secretOf(first));
  });
});

describe('watchword events replay', () => {
  it('sends one event to a local receiver', async () => {
    receiver.script([{ status: 200 }]);
    const line = `events replay --forward-to ${receiver.url} --sequence 7 --secret ${secret}`;
    expect(await desk.run(line, [page(event(7))])).toMatchObject({ code: 0 });
    expect(asked()).toEqual(['6']);
    expect(received()).toHaveLength(1);
  });

  it('exits with 4 when no event has the sequence', async () => {
    const line = `events replay --forward-to ${receiver.url} --sequence 7 --secret ${secret}`;
    expect(await desk.run(line, [page(event(9))])).toMatchObject({ code: 4 });
    const { code, notes } = await desk.run(`${line} --json`, [page(event(9))]);
    expect([code, JSON.parse(notes)]).toMatchObject([4, { error: { type: 'not_found' } }]);
  });

  it('repeats a webhook delivery by its id', async () => {
    const body = { id: 'd2', event_type: 'sms.sent', status: 'pending', attempts: [] };
    const { output } = await desk.run('events replay d1', [{ status: 202, body }]);
    expect(desk.server.requests).toMatchObject([{ path: '/v1/webhook-deliveries/d1/replay' }]);
    expect(output).toBe('d2  sms.sent  pending\n');
  });
});

describe('watchword messages tail', () => {
  it('shows a message again when its state changes', async () => {
    desk.sleepsMax = 3;
    const sms = (status: string) => page({ id: 'm1', to: '+2348030000000', status });
    const answers = [sms('sent'), sms('sent'), sms('delivered')];
    const { output } = await desk.run('messages tail --kind sms --json', answers);
    const lines = output.trim().split('\n');
    const states = lines.map((line) => (JSON.parse(line) as { status: string }).status);
    expect(states).toEqual(['sent', 'delivered']);
  });

  it('shows messages of all kinds in the order and at the times in which they were made', async () => {
    const made = (second: number) => ({ created_at: `2026-11-29T03:04:0${second}.000Z` });
    const otp = page({ id: '01b', phone_number: '+2348030000000', status: 'sent', ...made(6) });
    const sms = page({ id: '01a', to: '+2348030000000', status: 'sent', ...made(5) });
    const { output } = await desk.run('messages tail --polls 1', [otp, sms]);
    expect(output).toMatch(/03:04:05 {2}sms .*01a.*\n03:04:06 {2}otp .*01b/);
  });
});
