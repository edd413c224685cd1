/**
 * Deliveries of webhooks: events to 20 endpoints each, durable, signed and recorded. Then how long the healthy
 * endpoints wait while a tenth of all hangs and a tenth fails. The events are written where dispatch writes them.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { newEventId, newId, TOPICS } from '@watchword/contracts';
import { freePort } from '@watchword/postgres';
import { eventually } from '@watchword/testing';
import pg from 'pg';
import { request } from 'undici';
import { type FanOutPeer, startFanOutPeers } from './peers/fan-out-peers.ts';
import { benchNumber } from './support/bench-number.ts';
import { COUNTING } from './support/counts.ts';
import { median, printTable } from './support/figures.ts';
import { type Contestant, Environment, root } from './support/environment.ts';
import { answers } from './support/operator.ts';
import { busySince, machine, machineTimes } from './support/processor-time.ts';
import { UnitCosts } from './support/unit-cost.ts';
import { quantile } from './support/quantile.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 3);
const EVENTS = benchNumber('BENCH_EVENTS', 200);
const RATE = benchNumber('BENCH_RATE', 10);
const SECONDS = benchNumber('BENCH_SECONDS', 15);
const ENDPOINTS = 20;
const SICK = 2;
const TIMEOUT_MS = 120_000;
/** Events that are published to a peer at the same time. */
const PUBLISHERS = 16;

interface Workspace {
  id: string;
  key: string;
}

type Seen = [path: string, id: string, at: number];

export async function webhooksBench(): Promise<void> {
  console.log(machine());
  const receiver = await startReceiver();
  const environment = await Environment.open(COUNTING);
  let bench: WebhooksBench | undefined;
  try {
    bench = await WebhooksBench.start(environment, receiver.url);
    const endpoints = Array.from({ length: ENDPOINTS }, (_, n) => `${receiver.url}/ok/${n}`);
    await bench.rates(await startFanOutPeers({ environment, endpoints }));
    await bench.costs();
    await bench.sickEndpoints();
  } finally {
    await bench?.close();
    await environment.close();
    receiver.stop();
  }
}

async function startReceiver() {
  const port = await freePort();
  const child = spawn(process.execPath, ['bench/peers/webhook-receiver.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(`${url}/count`);
  return { url, stop: () => child.kill() };
}

class WebhooksBench {
  private readonly unitCosts: UnitCosts;
  private readonly receiverUrl: string;
  private readonly database: pg.Client;
  private readonly well: Workspace;
  private readonly partlySick: Workspace;

  private constructor(
    unitCosts: UnitCosts,
    receiverUrl: string,
    database: pg.Client,
    [well, partlySick]: [Workspace, Workspace],
  ) {
    this.unitCosts = unitCosts;
    this.receiverUrl = receiverUrl;
    this.database = database;
    this.well = well;
    this.partlySick = partlySick;
  }

  static async start(environment: Environment, receiverUrl: string): Promise<WebhooksBench> {
    const product = await environment.product('gateway,billing,dispatch,webhooks', 2, {
      environment: { ALLOW_LOOPBACK_WEBHOOKS: 'true', CALLBACK_BASE_URL: 'http://127.0.0.1:9' },
    });
    const connectionString = environment.postgres.url.replace(/\/postgres$/, '/watchword');
    const database = new pg.Client({ connectionString });
    await database.connect();
    const workspaces: Workspace[] = [];
    for (const [index, key] of product.keys.entries()) {
      await makeEndpoints(product, key, receiverUrl, index === 0 ? 0 : SICK);
      const { rows } = await database.query<{ id: string }>(
        `SELECT DISTINCT workspace_id AS id FROM webhooks.endpoints
         WHERE NOT workspace_id = ANY ($1::uuid[])`,
        [workspaces.map(({ id }) => id)],
      );
      workspaces.push({ id: rows[0]!.id, key });
    }
    const both = workspaces as [Workspace, Workspace];
    const costs = new UnitCosts(environment, product);
    return new WebhooksBench(costs, receiverUrl, database, both);
  }

  async close(): Promise<void> {
    await this.database.end();
  }

  /** Measures Watchword and the started peers in turns. */
  async rates(peers: readonly FanOutPeer[]): Promise<void> {
    const contestants = [
      { name: 'watchword', deliver: () => this.product(EVENTS) },
      ...peers.map((peer) => ({ name: peer.name, deliver: () => this.peer(peer, EVENTS) })),
    ];
    const rates = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
    const costs = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
    for (const { deliver } of contestants) await deliver();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { name, deliver } of contestants) {
        const before = machineTimes();
        const rate = await deliver();
        rates.get(name)!.push(rate);
        costs.get(name)!.push((busySince(before) * availableParallelism() * 1_000) / rate);
      }
    }
    const own = median(rates.get('watchword')!);
    console.log(`\n${EVENTS} events to ${ENDPOINTS} endpoints each, in turns`);
    printTable(
      ['', 'deliveries a second', 'ours to it', 'CPU ms of the machine a delivery'],
      contestants.map(({ name }) => {
        const rate = median(rates.get(name)!);
        const cost = median(costs.get(name)!).toFixed(2);
        return [name, Math.round(rate), `${(own / rate).toFixed(2)}x`, cost];
      }),
    );
  }

  async costs(): Promise<void> {
    const name = `${EVENTS} events to ${ENDPOINTS} endpoints each`;
    await this.unitCosts.measure(name, async () => {
      await this.product(EVENTS);
      return EVENTS * ENDPOINTS;
    });
    this.unitCosts.print('a delivery');
  }

  async sickEndpoints(): Promise<void> {
    const rows: string[][] = [];
    const p99s: number[] = [];
    for (const workspace of [this.well, this.partlySick]) {
      await this.paced(workspace, 5);
      const waits = await this.paced(workspace, SECONDS);
      const [p50, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)];
      p99s.push(p99);
      const name = workspace === this.well ? 'all healthy' : '10 % hang, 10 % fail';
      rows.push([name, p50.toFixed(1), p99.toFixed(1)]);
    }
    console.log(`\n${RATE} events a second: from its commit until a healthy endpoint has it`);
    printTable(['endpoints', 'p50 ms', 'p99 ms'], rows);
    console.log(`p99: ${(p99s[1]! / p99s[0]!).toFixed(2)}x; goal: <= 1.2x`);
  }

  /** Deliveries a second, until the last is recorded. */
  private async product(events: number): Promise<number> {
    await this.seen();
    const startedAt = performance.now();
    await this.happen(this.well, events);
    await this.received(events * ENDPOINTS);
    await eventually(() => this.assertRecorded(), TIMEOUT_MS, 20);
    return (events * ENDPOINTS) / ((performance.now() - startedAt) / 1_000);
  }

  /** Returns a peer's deliveries a second, until the last arrives. Its records of them may come later. */
  private async peer({ publish }: FanOutPeer, events: number): Promise<number> {
    await this.seen();
    const waiting = Array.from({ length: events }, () => eventOf(this.well.id));
    const startedAt = performance.now();
    const publisher = async () => {
      for (let event = waiting.pop(); event; event = waiting.pop()) await publish(event);
    };
    await Promise.all(Array.from({ length: PUBLISHERS }, publisher));
    await this.received(events * ENDPOINTS);
    return (events * ENDPOINTS) / ((performance.now() - startedAt) / 1_000);
  }

  /** Returns how long each delivery to a healthy endpoint took. */
  private async paced(workspace: Workspace, seconds: number): Promise<number[]> {
    await this.seen();
    const committedAt = new Map<string, number>();
    const startedAt = performance.now();
    for (let n = 0; n < RATE * seconds; n += 1) {
      const dueAt = startedAt + (n * 1_000) / RATE;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
      const [id] = await this.happen(workspace, 1);
      committedAt.set(id!, performance.timeOrigin + performance.now());
    }
    const healthy = workspace === this.well ? ENDPOINTS : ENDPOINTS - 2 * SICK;
    await this.received(committedAt.size * healthy);
    const waits = (await this.seen()).map(([, id, at]) => at - committedAt.get(id)!);
    return waits.filter((wait) => !Number.isNaN(wait));
  }

  /** Publishes events of messages as dispatch does. Returns the ids of the messages. */
  private async happen({ id }: Workspace, count: number): Promise<string[]> {
    const events = Array.from({ length: count }, () => eventOf(id));
    await this.database.query(
      `INSERT INTO dispatch.message_queue (topic, reader, key, message_id, type, occurred_at, payload)
       SELECT topic, reader, event -> 'message' ->> 'id', event ->> 'event_id', 'svc.message-event.v1', now(),
         event::text FROM json_array_elements($2::json) AS event
         JOIN dispatch.message_queue_readers ON topic = $1`,
      [TOPICS.messageEvents.name, JSON.stringify(events)],
    );
    return events.map(({ message }) => message.id);
  }

  private async received(count: number): Promise<void> {
    const all = async () => {
      const got = Number(await (await request(`${this.receiverUrl}/count`)).body.text());
      if (got < count) throw new Error(`${got} of ${count} deliveries have come`);
    };
    await eventually(all, TIMEOUT_MS, 10);
  }

  private async assertRecorded(): Promise<void> {
    const { rows } = await this.database.query(
      `SELECT FROM webhooks.deliveries WHERE workspace_id = $1 AND status = 'pending' LIMIT 1`,
      [this.well.id],
    );
    if (rows.length > 0) throw new Error('some deliveries are not recorded');
  }

  private async seen(): Promise<Seen[]> {
    return (await (await request(`${this.receiverUrl}/seen`)).body.json()) as Seen[];
  }
}

async function makeEndpoints(
  { url }: Contestant,
  key: string,
  receiverUrl: string,
  sick: number,
): Promise<void> {
  // Endpoints of a workspace share a bound by host, so the sick ones are another host's.
  const sickUrl = receiverUrl.replace('127.0.0.1', 'localhost');
  for (let index = 0; index < ENDPOINTS; index += 1) {
    const kind = index < sick ? 'hang' : index < 2 * sick ? 'fail' : 'ok';
    const answer = await request(`${url}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        url: `${kind === 'ok' ? receiverUrl : sickUrl}/${kind}/${index}`,
        events: ['sms.delivered'],
      }),
    });
    if (answer.statusCode !== 201) throw new Error(await answer.body.text());
    await answer.body.dump();
  }
}

const fixture = JSON.parse(
  readFileSync(join(root, 'libs/contracts/fixtures/message-event.v1.delivered.json'), 'utf8'),
) as { payload: { message: Record<string, unknown> } & Record<string, unknown> };

/** A delivered SMS of this workspace. */
function eventOf(workspaceId: string) {
  const { payload } = fixture;
  const message = { ...payload.message, id: newId(), workspace_id: workspaceId, kind: 'sms' };
  const body = 'Your order has left our shop and arrives tomorrow.';
  return { ...payload, event_id: newEventId(), message: { ...message, body } };
}
