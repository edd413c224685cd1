/**
 * What the pages of a workspace with 10,000,000 messages of two months read: its overview and its list of
 * messages. `BENCH_MESSAGES` for another number.
 */
import type pg from 'pg';
import { request } from 'undici';
import { benchNumber } from './support/bench-number.ts';
import { Environment } from './support/environment.ts';
import { median, printTable } from './support/figures.ts';
import { connect, partitionThePast } from './support/growth.ts';
import { rollUp, writeHistory } from './support/history.ts';
import { machine } from './support/processor-time.ts';
import { quantile } from './support/quantile.ts';

const MESSAGES = benchNumber('BENCH_MESSAGES', 10_000_000);
const SAMPLES = benchNumber('BENCH_SAMPLES', 41);
const DAY_MS = 86_400_000;
/** Pages that are read before the cursor of a deep page is taken. */
const PAGES_BEFORE = 400;

interface BenchWorkspace {
  workspaceId: string;
  read: <Body>(path: string) => Promise<Body>;
  client: pg.Client;
}

export async function pagesBench(): Promise<void> {
  console.log(machine());
  const environment = await Environment.open();
  try {
    const workspace = await openWorkspace(environment);
    await fill(workspace);
    await measure(workspace);
    await workspace.client.end();
  } finally {
    await environment.close();
  }
}

/** A workspace with one SMS, and its owner's session. */
async function openWorkspace(environment: Environment): Promise<BenchWorkspace> {
  const { url } = await environment.product('gateway,billing,dispatch,webhooks', 1);
  const json = { 'content-type': 'application/json' };
  const signedUp = await request(`${url}/auth/signup`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({
      email: 'ada@example.com',
      password: 'correct horse battery staple',
      workspace_name: 'Bench',
    }),
  });
  const { workspace, csrf_token: csrf } = (await signedUp.body.json()) as {
    workspace: { workspace_id: string };
    csrf_token: string;
  };
  const cookie = String(signedUp.headers['set-cookie']).split(';')[0]!;
  const made = await request(`${url}/dashboard/keys`, {
    method: 'POST',
    headers: { ...json, cookie, 'x-csrf-token': csrf },
    body: JSON.stringify({ mode: 'live' }),
  });
  const { key } = (await made.body.json()) as { key: string };
  const sent = await request(`${url}/v1/sms`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${key}` },
    body: JSON.stringify({
      ...{ to: '+2348032000000', from: 'Acme', body: 'Your order is here.' },
      send_at: new Date(Date.now() + DAY_MS).toISOString(),
    }),
  });
  if (sent.statusCode >= 300) throw new Error(await sent.body.text());
  await sent.body.dump();
  const read = async <Body>(path: string): Promise<Body> => {
    const answer = await request(url + path, { headers: { cookie } });
    if (answer.statusCode !== 200) throw new Error(`${path}: ${await answer.body.text()}`);
    return (await answer.body.json()) as Body;
  };
  const client = await connect(environment.postgres.url, 'watchword');
  return { workspaceId: workspace.workspace_id, read, client };
}

async function fill({ client, workspaceId }: BenchWorkspace, count = MESSAGES): Promise<void> {
  await partitionThePast(client);
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM dispatch.messages WHERE workspace_id = $1',
    [workspaceId],
  );
  const startedAt = performance.now();
  await writeHistory(client, rows[0]!.id, count);
  const filledAt = performance.now();
  const hours = await rollUp(client);
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  console.log(
    `${count} messages in ${seconds(filledAt - startedAt)} s; ` +
      `roll-ups of ${hours} hours in ${seconds(performance.now() - filledAt)} s`,
  );
}

interface List {
  data: { id: string; phone_number: string }[];
  next_cursor?: string;
}

/** The cursor of a deep page, and a number that has messages. */
async function walk({ read }: BenchWorkspace): Promise<{ cursor: string; number: string }> {
  let page = await read<List>('/dashboard/search?limit=50&test_mode=false');
  for (let pages = 0; pages < PAGES_BEFORE; pages += 1) {
    page = await read<List>(
      `/dashboard/search?limit=50&test_mode=false&cursor=${page.next_cursor}`,
    );
  }
  return { cursor: page.next_cursor!, number: page.data[0]!.phone_number.slice(1) };
}

async function measure(workspace: BenchWorkspace): Promise<void> {
  const { cursor, number } = await walk(workspace);
  const overview = (days: number, interval: string, group = 'carrier') => {
    const from = new Date(Date.now() - days * DAY_MS).toISOString();
    return `/dashboard/overview?interval=${interval}&group_by=${group}&from=${from}`;
  };
  const list = (query: string) => `/dashboard/search?limit=50&test_mode=false${query}`;
  const paths: [name: string, path: string][] = [
    ['overview of 24 hours', overview(1, 'hour')],
    ['overview of 7 days by hour', overview(7, 'hour')],
    ['overview of 7 days', overview(7, 'day')],
    ['overview of 30 days', overview(30, 'day')],
    ['overview of 30 days by network', overview(30, 'day', 'network')],
    ['messages, first page', list('')],
    [`messages, page ${PAGES_BEFORE + 2}`, list(`&cursor=${cursor}`)],
    ['messages to a number', list(`&q=%2B${number}`)],
    ['messages to an unknown number', list('&q=%2B2348019999999')],
    ['failed messages', list('&status=failed')],
    ['a status that none has', list('&status=blocked')],
    [
      'messages before a month ago',
      list(`&created_before=${new Date(Date.now() - 30 * DAY_MS).toISOString()}`),
    ],
    ['/dashboard/messages, first page', '/dashboard/messages?limit=50'],
  ];
  const rows: (string | number)[][] = [];
  for (const [name, path] of paths) {
    const times: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const startedAt = performance.now();
      await workspace.read(path);
      times.push(performance.now() - startedAt);
    }
    rows.push([name, median(times).toFixed(1), quantile(times, 0.95).toFixed(1)]);
  }
  printTable(['what', 'p50 ms', 'p95 ms'], rows);
}
