/** What is left of a person after an erasure: ADR 97, in the whole database. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkInvariants, holds, renderReports } from '../invariants/check.ts';
import { freshNumber } from '../support/numbers.ts';
import { Operator, type Workspace } from '../support/operator.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type FaultOutcome, FaultRun } from './fault-run.ts';
import { SideLoad } from './side-load.ts';

/** What has a life of at most 30 days and is not erased: the ADR names each. */
const SHORT_LIVED = [
  'billing.acceptances',
  'billing.message_queue',
  'billing.quotes',
  'dispatch.message_queue',
  'dispatch.parked_reports',
  'gateway.erasures',
  'gateway.message_queue',
  'webhooks.message_queue',
];
/** Long enough for some emails. */
const LOAD_MS = 4_000;
const TREATMENTS = { plain: 100, refusedByAll: 0, refusedByFirst: 0, undelivered: 0 };

let run: FaultRun;
let outcome: FaultOutcome;
let operator: Operator;
let workspace: Workspace;
/** A customer's server that answers with what it got. */
let echo: Server;

beforeAll(async () => {
  run = await FaultRun.open({ sendsPerSecond: 10, seed: 20_261_127, treatments: TREATMENTS });
  outcome = await run.under(async ({ system }) => {
    const side = new SideLoad(system);
    await side.start();
    await sleep(LOAD_MS);
    await side.stop();
  });
  operator = new Operator(run.system);
});

afterAll(async () => {
  echo?.close();
  await run?.stop();
  await run?.remove();
});

/** A workspace with webhooks. The checker does not know their receiver, so it comes after the check. */
async function openWorkspace(): Promise<void> {
  echo = createServer((request, response) => void request.pipe(response.writeHead(200)));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  workspace = await operator.createWorkspace();
  const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  await operator.putWebhook(workspace, `${url}/a`, ['otp.sent', 'sms.sent', 'sms.delivered']);
  await post('/v1/webhooks', { url: `${url}/b`, events: ['*'] });
}

async function post(path: string, body: object, key = workspace.liveKey) {
  const answer = await run.system.http.post(path, body, { key });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

/** Names the tables that have rows with the text. Partitions count as their table. */
async function tablesWith(text: string): Promise<string[]> {
  return run.withDatabase(async (database) => {
    const { rows: tables } = await database.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class
       WHERE relkind IN ('r', 'p') AND NOT relispartition
         AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await database.query(
        `SELECT FROM ${name} AS one WHERE strpos(lower(one::text), $1) > 0 LIMIT 1`,
        [text.toLowerCase()],
      );
      if (rows.length > 0) found.push(name);
    }
    return found.toSorted();
  });
}

/** Waits until there is such an event, and all webhooks are delivered. */
const untilDelivered = (type: string) =>
  waitUntil(`${type} to be sent`, async () => {
    const { rows } = await run.withDatabase((database) =>
      database.query<{ due: number; sent: number }>(
        `SELECT (SELECT count(*)::integer FROM webhooks.deliveries WHERE due_at IS NOT NULL) AS due,
           (SELECT count(*)::integer FROM webhooks.events
            WHERE workspace_id = $1 AND variant_b_type = $2) AS sent`,
        [workspace.id, type],
      ),
    );
    return rows[0]!.sent > 0 && rows[0]!.due === 0;
  });

/** Repeats it until nothing is open any more, as the gateway's job does. */
async function erase(to: string) {
  const sums: Record<string, number> = {};
  return waitUntil(`${to} to be erased`, async () => {
    const answer = await operator.request('POST', '/erasures', { to, reason: 'Asked.' });
    if (answer.status !== 202) throw new Error(answer.text);
    const counts = answer.json as Record<string, number>;
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
    return counts['erased_later'] === 0 && sums;
  });
}

async function codeAt(to: string): Promise<string> {
  return waitUntil('the code to arrive', async () => {
    const { json } = await run.carriers.get('/_simulator/messages');
    const messages = json as { to: string; body: string }[];
    const bodies = messages.filter((one) => one.to === to).map(({ body }) => body);
    return bodies.map((body) => /code is (\d{4,8})/.exec(body)?.[1]).find(Boolean);
  });
}

const untilStatus = (path: string, status: string, key = workspace.liveKey) =>
  waitUntil(`${path} to be ${status}`, async () => {
    const { json } = await run.system.http.get(path, { key });
    return json.status === status || undefined;
  });

describe('after an erasure', () => {
  it('the ledger sums, and all invariants hold', async () => {
    const { databaseUrl } = run;
    const { evidence } = outcome;
    const numbers = new Set(evidence.simulatorMessages.map(({ to }) => to));
    const addresses = new Set(evidence.mailbox?.map(({ to }) => to));
    for (const persons of [numbers, addresses]) {
      const three = [...persons].slice(0, 3);
      expect(three).toHaveLength(3);
      for (const to of three) expect((await erase(to))['messages']).toBeGreaterThanOrEqual(1);
    }
    const messages = (await run.carriers.get('/_simulator/messages')).json;
    const reports = await checkInvariants({
      ...{ ...evidence, databaseUrl, receiverLog: run.received },
      simulatorMessages: messages as FaultOutcome['evidence']['simulatorMessages'],
    });
    if (!holds(reports)) throw new Error(renderReports(reports));
  });

  it('no table has the number, but for those that the ADR names', async () => {
    await openWorkspace();
    const to = freshNumber();
    const about = { phone_number: to, metadata: { phone: to } };
    const sms = await post('/v1/sms/send', { ...about, message: `Your parcel. Call ${to}.` });
    await untilStatus(`/v1/sms/${sms.id}`, 'delivered');
    const otp = await post('/v1/otp/send', about);
    await untilStatus(`/v1/otp/${otp.id}`, 'delivered');
    await post('/v1/otp/verify', { otp_id: otp.id, code: await codeAt(to) });
    await untilDelivered('otp.verified');
    const tables = ['dispatch.messages', 'webhooks.events', 'webhooks.delivery_attempts'];
    expect(await tablesWith(to.slice(1))).toEqual(expect.arrayContaining(tables));

    const { messages, webhook_events, webhook_attempts } = await erase(to);
    expect(messages).toBe(2);
    expect(webhook_events).toBeGreaterThanOrEqual(3);
    expect(webhook_attempts).toBeGreaterThanOrEqual(3);
    expect(SHORT_LIVED).toEqual(expect.arrayContaining(await tablesWith(to.slice(1))));
  });

  it('no table has the address, but for those that the ADR names', async () => {
    const to = `delivered+${randomUUID()}@sim.test`;
    const words = { from: 'no-reply@acme.example', subject: `For ${to}`, text: `Dear ${to}` };
    const about = { ...words, to: [to], metadata: { email: to }, tags: ['invoice'] };
    const email = await post('/v1/emails', about, workspace.testKey);
    await untilStatus(`/v1/emails/${email.id}`, 'delivered', workspace.testKey);
    await untilDelivered('email.delivered');
    const tables = ['dispatch.emails', 'dispatch.email_recipients', 'webhooks.events'];
    expect(await tablesWith(to)).toEqual(expect.arrayContaining(tables));

    expect(await erase(to)).toMatchObject({ messages: 1 });
    expect(SHORT_LIVED).toEqual(expect.arrayContaining(await tablesWith(to)));
  });
});
