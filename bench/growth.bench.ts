/**
 * The cost of 1,000,000 messages, against 10,000: two installations side by side, asked the same in
 * turns. Then the oldest weeks of webhook deliveries are dropped under load.
 * `BENCH_MESSAGES=10000000` for more.
 */
import { request } from 'undici';
import { eventually } from '@watchword/testing';
import type pg from 'pg';
import { Receiver } from './cluster/receiver.ts';
import { benchNumber } from './support/bench-number.ts';
import { median, printTable } from './support/figures.ts';
import { type Contestant, Environment } from './support/environment.ts';
import { connect, grow, partitionThePast } from './support/growth.ts';
import { measure } from './support/load.ts';
import { pageMs, pagesOf, type Side } from './support/pages.ts';
import { machine } from './support/processor-time.ts';

const MESSAGES = benchNumber('BENCH_MESSAGES', 1_000_000);
const FEW = benchNumber('BENCH_FEW_MESSAGES', 10_000);
const SAMPLES = benchNumber('BENCH_SAMPLES', 201);
const ROUNDS = benchNumber('BENCH_ROUNDS', 3);
const SECONDS = benchNumber('BENCH_SECONDS', 10);
const GOALS: Record<string, number> = {
  send: 1.1,
  verify: 1.15,
  get: 1.2,
  'first page': 1.25,
  'far page': 1.25,
};
const DROP_GOAL = 1.1;
const DATABASE = 'watchword';
/** The code of a test-mode OTP. */
const TEST_CODE = '123456';

/** One installation and its grown data. */
interface Grown extends Side {
  environment: Environment;
  product: Contestant;
  client: pg.Client;
  testKey: string;
  /** Ids of messages over the whole time span. */
  ids: string[];
  otps: string[];
  pages: ReadonlyMap<string, string>;
}

type Asked = (side: Grown, sample: number) => Promise<number>;

export async function growthBench(): Promise<void> {
  console.log(machine());
  const receiver = await Receiver.start();
  const sides: Grown[] = [];
  const environments: Environment[] = [];
  try {
    for (const count of [MESSAGES, FEW]) {
      environments.push(await Environment.open());
      sides.push(await grown(environments.at(-1)!, count, receiver.url));
    }
    await compare(sides);
    await printPlans(sides[0]!);
    await dropUnderLoad(sides[0]!);
  } finally {
    for (const { client } of sides) await client.end();
    for (const environment of environments) await environment.close();
    await receiver.close();
  }
}

async function grown(environment: Environment, count: number, webhookUrl: string): Promise<Grown> {
  const services = 'gateway,billing,dispatch,webhooks';
  const settings = { ALLOW_LOOPBACK_WEBHOOKS: 'true' };
  const product = await environment.product(services, 1, {
    environment: settings,
    webhookUrl,
    testWorkspaces: 1,
  });
  const [key] = product.keys as [string];
  const [testKey] = product.testKeys as [string];
  const client = await connect(environment.postgres.url, DATABASE);
  await partitionThePast(client);
  const messageId = await post(product, '/v1/sms', key, scheduled(0));
  await post(product, '/v1/sms', testKey, { to: '+2348031234567', from: 'Acme', body: 'Ready.' });
  const eventId = await eventually(async () => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT event_id AS id FROM webhooks.deliveries JOIN webhooks.delivery_attempts ON delivery_id = deliveries.id
       WHERE EXISTS (SELECT FROM dispatch.messages WHERE id = '${messageId}') LIMIT 1`,
    );
    if (!rows[0]) throw new Error('no message, or no webhook of one, is there to be copied');
    return rows[0].id;
  }, 30_000);
  const startedAt = performance.now();
  await grow(client, { messageId, eventId, count });
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`generated ${count} messages with all that hangs on them in ${seconds.toFixed(1)} s`);
  const side: Side = { name: `${count} messages`, key, count, farPage: count / 100 };
  const otps: string[] = [];
  for (let n = 0; n < SAMPLES; n += 1) {
    const body = { phone_number: `+234803${1_000_000 + n}` };
    otps.push(await post(product, '/v1/otp/send', testKey, body));
  }
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM dispatch.messages WHERE kind = 'sms' AND NOT test_mode ORDER BY random() LIMIT ${SAMPLES}`,
  );
  const pages = new Map(await pagesOf(environment, product, side));
  return {
    ...side,
    environment,
    product,
    client,
    testKey,
    ids: rows.map(({ id }) => id),
    otps,
    pages,
  };
}

/**
 * Scheduled for tomorrow, so no carrier is asked; priced, charged, recorded and stored all the
 * same.
 */
const scheduled = (n: number) => ({
  ...{ to: `+234803${2_000_000 + n}`, from: 'Acme', body: 'Your order is here.' },
  send_at: new Date(Date.now() + 24 * 3_600_000).toISOString(),
});

async function post({ url }: Contestant, path: string, key: string, body: object): Promise<string> {
  const answer = await request(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { id, valid } = (await answer.body.json()) as { id?: string; valid?: boolean };
  if (answer.statusCode >= 300 || valid === false) {
    throw new Error(`${path}: ${answer.statusCode}, valid: ${valid}`);
  }
  return id ?? '';
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function get({ product, key }: Grown, id: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await request(`${product.url}/v1/sms/${id}`, { headers });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`GET of ${id}: ${answer.statusCode}`);
}

const asked: Record<string, Asked> = {
  send: (side, n) => timed(() => post(side.product, '/v1/sms', side.key, scheduled(n + 1))),
  verify: (side, n) => {
    const body = { otp_id: side.otps[n]!, code: TEST_CODE };
    return timed(() => post(side.product, '/v1/otp/verify', side.testKey, body));
  },
  get: (side, n) => timed(() => get(side, side.ids[n]!)),
  'first page': (side) => pageMs(side.product, side.key, side.pages.get('first page')!),
  'far page': (side) => pageMs(side.product, side.key, side.pages.get('far page')!),
};

/** Compares in turns, each first equally often, so that other load of the machine affects both. */
async function compare(sides: readonly Grown[]): Promise<void> {
  const figures = sides.map(() => new Map<string, number[]>());
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    for (const [name, ask] of Object.entries(asked)) {
      const turns = [...sides.entries()];
      for (const [index, side] of sample % 2 === 0 ? turns : turns.toReversed()) {
        const times = figures[index]!.get(name) ?? [];
        times.push(await ask(side, sample));
        figures[index]!.set(name, times);
      }
    }
  }
  const [many, few] = figures as [Map<string, number[]>, Map<string, number[]>];
  console.log(`p50 of ${SAMPLES}, one at a time, in turns`);
  printTable(
    ['what', `${sides[0]!.name}, ms`, `${sides[1]!.name}, ms`, 'ratio', 'goal'],
    Object.keys(asked).map((name) => {
      const [a, b] = [median(many.get(name)!), median(few.get(name)!)];
      return [name, a.toFixed(2), b.toFixed(2), `${(a / b).toFixed(2)}x`, `${GOALS[name]}x`];
    }),
  );
}

/** The plans of look-ups by key and of a list, as a pool plans them: for their values. */
async function printPlans({ client }: Grown): Promise<void> {
  const { rows: known } = await client.query<{ name: string; count: string }>(
    `SELECT parent.oid::regclass::text AS name, count(*) FROM pg_class AS parent JOIN pg_inherits ON inhparent = parent.oid
     WHERE parent.relkind = 'p' GROUP BY 1 ORDER BY 1`,
  );
  for (const { name, count } of known) console.log(`${name}: ${count} partitions`);
  const delivery = `(SELECT workspace_id, id FROM webhooks.deliveries ORDER BY workspace_id, id DESC LIMIT 1)`;
  const { rows } = await client.query<{ workspace_id: string; id: string }>(delivery);
  const { workspace_id: workspace, id } = rows[0]!;
  const ofWorkspace = `SELECT * FROM webhooks.deliveries WHERE workspace_id = '${workspace}'`;
  const plans: [name: string, text: string][] = [
    ['a delivery by its id', `${ofWorkspace} AND id = '${id}'`],
    ['a page of deliveries', `${ofWorkspace} AND id < '${id}' ORDER BY id DESC LIMIT 50`],
    ['a message by its id', `SELECT * FROM dispatch.messages WHERE id = '${id}'`],
    [
      'a page of messages',
      `SELECT * FROM dispatch.messages WHERE workspace_id = '${workspace}'
      ORDER BY created_at DESC, id DESC LIMIT 50`,
    ],
  ];
  const planned: (string | number)[][] = [];
  for (const [name, text] of plans) {
    const times: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      const answer = await client.query<{ 'QUERY PLAN': { 'Planning Time': number }[] }>(
        `EXPLAIN (SUMMARY, FORMAT JSON) ${text}`,
      );
      times.push(answer.rows[0]!['QUERY PLAN'][0]!['Planning Time']);
    }
    planned.push([name, median(times).toFixed(3)]);
  }
  printTable(['plan of', 'planning ms'], planned);
}

/** Sends with webhooks during them; in every second round a week of deliveries is dropped. */
async function dropUnderLoad({ product, testKey, client }: Grown): Promise<void> {
  const load = {
    ...{ url: product.url, path: '/v1/sms', keys: [testKey], connections: 2, seconds: SECONDS },
    bodies: ['{"to":"+234803%d","from":"Acme","body":"Your order is here."}'],
  };
  await measure(load);
  const [usual, dropping]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    usual.push((await measure(load)).p99Ms);
    const measured = measure(load);
    await new Promise((resolve) => setTimeout(resolve, (SECONDS * 1_000) / 2));
    await dropWeek(client);
    dropping.push((await measured).p99Ms);
  }
  const [a, b] = [median(dropping), median(usual)];
  console.log(
    `p99 of a send while a week is dropped ${a.toFixed(1)} ms, else ${b.toFixed(1)} ms: ` +
      `${(a / b).toFixed(2)}x (goal ${DROP_GOAL}x), ${ROUNDS} rounds each`,
  );
}

/** Drops a week as the job does. The job retries in its next run; this retries at once. */
async function dropWeek(client: pg.Client): Promise<void> {
  const drop = `SELECT webhooks.drop_partition(now() - interval '7 days') AS dropped`;
  const dropped = await eventually(async () => {
    const { rows } = await client.query<{ dropped: string | null }>(drop);
    return rows[0]!.dropped;
  }, 10_000);
  if (dropped === null) throw new Error('no week was left to drop');
  console.log(`dropped ${dropped}`);
}
