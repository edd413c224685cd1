/**
 * `GET /v1/sms` of a workspace with 1,000,000 messages and of one with 10,000: first page, a far page and every filter.
 * Goal: each within 1.25 times of the first page, and of the same page of the small workspace. The generator copies
 * one real message, so it keeps up with the table.
 */
import { request } from 'undici';
import { benchNumber } from './support/bench-number.ts';
import { median, printTable } from './support/figures.ts';
import { type Contestant, Ground } from './support/ground.ts';

const MESSAGES = benchNumber('BENCH_MESSAGES', 1_000_000);
const FEW = benchNumber('BENCH_FEW_MESSAGES', 10_000);
const SAMPLES = benchNumber('BENCH_SAMPLES', 101);
const PAGE = 50;
const DATABASE = 'watchword';
const GOAL = 1.25;

export interface Side {
  name: string;
  key: string;
  count: number;
  farPage: number;
}

export async function listsBench(): Promise<void> {
  const ground = await Ground.open();
  try {
    const product = await ground.product('gateway,billing,dispatch', 2);
    const [many, few] = product.keys as [string, string];
    const sides: Side[] = [
      { name: `${MESSAGES} messages`, key: many, count: MESSAGES, farPage: MESSAGES / 100 },
      { name: `${FEW} messages`, key: few, count: FEW, farPage: FEW / 100 },
    ];
    for (const side of sides) await generate(ground, product, side);
    await ground.queryOf(DATABASE, 'VACUUM (ANALYZE) dispatch.messages');
    const pages = await Promise.all(sides.map((side) => pagesOf(ground, product, side)));
    const figures = sides.map(() => new Map<string, number[]>());
    // Alternating, so that what else the machine does falls on all of them.
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      for (const [index, side] of sides.entries()) {
        for (const [name, path] of pages[index]!) {
          const known = figures[index]!.get(name) ?? [];
          figures[index]!.set(name, [...known, await pageMs(product, side.key, path)]);
        }
      }
    }
    print(sides, figures);
  } finally {
    await ground.close();
  }
}

function print(sides: readonly Side[], figures: readonly Map<string, number[]>[]): void {
  const [many, few] = figures.map(
    (pages) => new Map([...pages].map(([name, times]) => [name, median(times)])),
  ) as [Map<string, number>, Map<string, number>];
  const first = many.get('first page')!;
  const rows = [...many].map(([name, ms]) => {
    const other = few.get(name)!;
    return [
      name,
      ms.toFixed(2),
      other.toFixed(2),
      `${(ms / first).toFixed(2)}x`,
      `${(ms / other).toFixed(2)}x`,
    ];
  });
  console.log(`goal: both ratios at most ${GOAL}x, p50 of ${SAMPLES}, limit ${PAGE}`);
  printTable(
    ['page', `${sides[0]!.name}, ms`, `${sides[1]!.name}, ms`, 'to its first page', 'to the few'],
    rows,
  );
}

/** Copies one message of the workspace, a second apart into the past. */
async function generate(ground: Ground, { url }: Contestant, { key, count }: Side): Promise<void> {
  const body = { to: '+2348031234567', from: 'Acme', body: 'Your order is here.' };
  const sendAt = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const answer = await request(`${url}/v1/sms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, send_at: sendAt }),
  });
  const { id } = (await answer.body.json()) as { id: string };
  for (let waited = 0; ; waited += 1) {
    const found = `SELECT count(*) AS n FROM dispatch.messages WHERE id = '${id}'`;
    const [row] = await ground.queryOf(DATABASE, found);
    if (Number(row!['n']) === 1) break;
    if (waited > 300) throw new Error('dispatch has not written the message that is copied');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const startedAt = performance.now();
  // Every tenth number, sender and state is another one, so that a filter finds a share of them.
  await ground.queryOf(
    DATABASE,
    `INSERT INTO dispatch.messages
     SELECT copy.* FROM (
       SELECT to_jsonb(message) AS row FROM dispatch.messages AS message WHERE id = '${id}'
     ) AS template
     CROSS JOIN generate_series(1, ${count}) AS n
     CROSS JOIN LATERAL (SELECT uuidv7(make_interval(secs => -n)) AS id) AS fresh
     CROSS JOIN LATERAL jsonb_populate_record(NULL::dispatch.messages, template.row || jsonb_build_object(
       'id', fresh.id,
       'created_at', uuid_extract_timestamp(fresh.id),
       'updated_at', uuid_extract_timestamp(fresh.id),
       'destination', CASE WHEN n % 10 = 0 THEN '+254722200000' ELSE '+234803' || (2000000 + n) END,
       'country_code', CASE WHEN n % 10 = 0 THEN 'KE' ELSE 'NG' END,
       'sender_id', CASE WHEN n % 10 = 1 THEN 'Other' ELSE 'Acme' END,
       'state', CASE WHEN n % 10 = 2 THEN 'failed' ELSE 'delivered' END
     )) AS copy`,
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`generated ${count} messages in ${seconds.toFixed(1)} s`);
}

/** The pages by name. A cursor of the far page is made of the last row before it. */
export async function pagesOf(
  ground: Ground,
  { url }: Contestant,
  { key, farPage }: Side,
): Promise<[name: string, path: string][]> {
  const list = (query: string) => `/v1/sms?limit=${PAGE}${query}`;
  const answer = await request(url + list(''), { headers: { authorization: `Bearer ${key}` } });
  const first = (await answer.body.json()) as {
    data: { id: string; project_id?: string; workspace_id?: string }[];
    next_cursor: string;
  };
  const last = first.data.at(-1)!;
  const workspace = last.workspace_id ?? last.project_id!;
  const rows = await ground.queryOf(
    DATABASE,
    `SELECT id, (extract(epoch FROM created_at) * 1000)::bigint AS ms FROM dispatch.messages
     WHERE (workspace_id = '${workspace}' AND id = '${last.id}')
     UNION ALL (
       SELECT id, (extract(epoch FROM created_at) * 1000)::bigint FROM dispatch.messages
       WHERE workspace_id = '${workspace}'
       ORDER BY created_at DESC, id DESC OFFSET ${(farPage - 1) * PAGE - 1} LIMIT 1)`,
  );
  const [known, far] = rows as [Record<string, string>, Record<string, string>];
  const text = Buffer.from(first.next_cursor, 'base64url').toString();
  const moved = text
    .replace(known['id']!, far['id']!)
    .replace(known['ms']!, far['ms']!)
    .replace(
      new Date(Number(known['ms'])).toISOString(),
      new Date(Number(far['ms'])).toISOString(),
    );
  if (moved === text) throw new Error(`a cursor of unknown form: ${text}`);
  const cursor = Buffer.from(moved).toString('base64url');
  const middle = encodeURIComponent(new Date(Number(far['ms'])).toISOString());
  return [
    ['first page', list('')],
    ['far page', list(`&cursor=${cursor}`)],
    ['status', list('&status=failed')],
    ['to', list('&to=%2B254722200000')],
    ['from', list('&from=Other')],
    ['country', list('&country=KE')],
    ['test_mode', list('&test_mode=false')],
    ['created_before', list(`&created_before=${middle}`)],
    ['created_after', list(`&created_after=${middle}`)],
  ];
}

export async function pageMs({ url }: Contestant, key: string, path: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await request(url + path, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await answer.body.json()) as { data?: unknown[] };
  const ms = performance.now() - startedAt;
  if (answer.statusCode !== 200 || data?.length !== PAGE) {
    throw new Error(`${path}: ${answer.statusCode}, ${data?.length} messages`);
  }
  return ms;
}
