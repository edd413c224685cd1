/** Operators' changes without a release (decisions 22) take effect on every replica. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpClient } from '../support/http.js';
import { Suite } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';
import { SplitSystem } from './split-system.js';

/** Within this time a change is at work on every replica. */
const EVERYWHERE_MS = 5_000;
const MESSAGES = 40;
const patient = { timeoutMs: 60_000, everyMs: 200 };

const suite = new Suite();
let system: SplitSystem;
let gateways: HttpClient[];

beforeAll(async () => {
  system = await SplitSystem.openFor(suite);
  gateways = system.gateways();
});

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await system.close();
});

const change = (path: string, body: unknown) => suite.operator.request('PATCH', path, body);
const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Accepted calls of each replica of dispatch to one account so far. */
async function callsTo(account: string): Promise<number[]> {
  const pattern = new RegExp(
    `^watchword_attempts_total\\{account="${account}",outcome="accepted"\\} (\\d+)$`,
    'm',
  );
  const urls = system.processes.services('dispatch').map(({ metrics_url: url }) => new URL(url));
  return Promise.all(
    urls.map(async ({ origin, pathname }) => {
      const client = new HttpClient(origin);
      const { text } = await client.get(pathname);
      await client.close();
      return Number(pattern.exec(text)?.[1] ?? 0);
    }),
  );
}

describe('a drained carrier', () => {
  afterAll(() => change('/carriers/africas_talking', { state: 'active' }));

  it('a drained carrier gets no message from any replica five seconds later, and gets them again afterwards', async () => {
    const customer = await suite.customer({ credits: 1_000_000 });
    const taken = async () =>
      sum([...(await callsTo('africas_talking')), ...(await callsTo('twilio'))]);
    const sendAll = async () => {
      const before = await taken();
      const sends = await Promise.all(Array.from({ length: MESSAGES }, () => customer.sendSms()));
      expect(sends.map(({ status }) => status)).toEqual(sends.map(() => 200));
      const areTaken = async () => (await taken()) >= before + MESSAGES;
      await waitUntil('carriers to take all messages', areTaken, patient);
    };
    const untilBothUseIt = async () => {
      const before = await callsTo('africas_talking');
      expect(before).toHaveLength(2);
      const bothUseIt = async () => {
        await sendAll();
        const now = await callsTo('africas_talking');
        return now.every((count, at) => count > before[at]!);
      };
      await waitUntil('both replicas to use the carrier', bothUseIt, patient);
    };
    await change('/carriers/africas_talking', { state: 'active' });
    await untilBothUseIt();
    const { status } = await change('/carriers/africas_talking', { state: 'drained' });
    expect(status).toBe(200);
    // The promise: from then on nothing goes there.
    await pause(EVERYWHERE_MS);
    const drained = await callsTo('africas_talking');
    const others = await callsTo('twilio');
    await sendAll();
    expect(await callsTo('africas_talking')).toEqual(drained);
    const grown = (await callsTo('twilio')).map((count, at) => count - (others[at] ?? 0));
    expect(sum(grown)).toBeGreaterThanOrEqual(MESSAGES);
    // Both replicas sent some of them.
    expect(Math.min(...grown)).toBeGreaterThan(0);
    for (const gateway of gateways) {
      const headers = { authorization: `Bearer ${system.credentials.operator_token}` };
      const { json } = await gateway.get('/operator/v1/carriers', { headers });
      expect(json.data).toContainEqual(
        expect.objectContaining({ id: 'africas_talking', state: 'drained' }),
      );
    }
    await change('/carriers/africas_talking', { state: 'active' });
    await untilBothUseIt();
  });
});

describe('a suspended workspace', () => {
  it('a suspended workspace is refused by both gateways as soon as that is answered, and its queue waits', async () => {
    const customer = await suite.customer();
    for (const gateway of gateways) {
      expect((await gateway.get('/v1/balance', { key: customer.liveKey })).status).toBe(200);
    }
    const dueAt = Date.now() + 6_000;
    const { json: scheduled } = await customer.post('/v1/sms', {
      to: '+2348031234570',
      from: 'Acme',
      body: 'Your table is ready.',
      send_at: new Date(dueAt).toISOString(),
    });
    const path = `/workspaces/${customer.id}`;
    const suspended = await change(path, { suspended: true, reason: 'Ticket 17' });
    expect(suspended.status).toBe(200);
    for (const gateway of gateways) {
      const { status, json } = await gateway.get('/v1/balance', { key: customer.liveKey });
      expect([status, json.error.type]).toEqual([403, 'permission_error']);
    }
    await pause(dueAt + EVERYWHERE_MS - Date.now());
    const held = await suite.operator.request('GET', `/messages/${scheduled.id}`);
    expect(held.json.provider_attempts).toEqual([]);
    await change(path, { suspended: false, reason: 'Ticket 17' });
    await customer.smsWith('delivered', scheduled.id as string);
    const { json } = await suite.operator.request('GET', '/audit?limit=50');
    expect(json.data).toContainEqual(
      expect.objectContaining({
        effect: expect.objectContaining({ suspended: true, reason: 'Ticket 17' }),
      }),
    );
  });
});
