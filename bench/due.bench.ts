/**
 * 10,000 messages that are due in the same second: how long until all of them are handed to sending, while
 * `BENCH_WAITING` others wait for a later day. Goal: 2 s after their moment.
 */
import { request } from 'undici';
import { benchNumber } from './support/bench-number.ts';
import { median, printTable } from './support/figures.ts';
import { type Contestant, Ground } from './support/ground.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 3);
const DUE = benchNumber('BENCH_DUE', 10_000);
const WAITING = benchNumber('BENCH_WAITING', 100_000);
const LEAD_SECONDS = benchNumber('BENCH_LEAD_SECONDS', 30);
const BATCH = 1_000;
const DATABASE = 'watchword';
const POLL_MS = 20;
const PATIENCE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

let numbers = 0;

export async function dueBench(): Promise<void> {
  const ground = await Ground.open();
  try {
    const product = await ground.product('gateway,billing,dispatch,webhooks', 1);
    await schedule(product, new Date(Date.now() + DAY_MS), BATCH);
    await waiting(ground, BATCH);
    await wait(ground);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) times.push(await roundMs(ground, product));
    printTable(
      ['case', 'handed over after, s', 'slowest, s', 'goal'],
      [
        [
          `${DUE} due in one second, ${WAITING} waiting`,
          (median(times) / 1_000).toFixed(2),
          (Math.max(...times) / 1_000).toFixed(2),
          '<= 2 s',
        ],
      ],
    );
  } finally {
    await ground.close();
  }
}

async function roundMs(ground: Ground, product: Contestant): Promise<number> {
  const dueAt = new Date(Math.ceil((Date.now() + LEAD_SECONDS * 1_000) / 1_000) * 1_000);
  await schedule(product, dueAt, DUE);
  if (Date.now() > dueAt.getTime()) throw new Error('too slow: raise BENCH_LEAD_SECONDS');
  await waiting(ground, DUE, dueAt);
  await new Promise((resolve) => setTimeout(resolve, dueAt.getTime() - Date.now()));
  for (;;) {
    const late = Date.now() - dueAt.getTime();
    if ((await countDue(ground, dueAt)) === 0) return late;
    if (late > PATIENCE_MS) throw new Error(`not handed over within ${PATIENCE_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function schedule({ url, keys }: Contestant, at: Date, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += BATCH) {
    const messages = Array.from({ length: Math.min(BATCH, count - sent) }, () => {
      numbers += 1;
      return { to: `+234803${2_000_000 + numbers}`, body: 'Your order is here.' };
    });
    const answer = await request(`${url}/v1/sms/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys[0]!}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: 'Acme', send_at: at.toISOString(), messages }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 202) throw new Error(text.slice(0, 500));
  }
}

/** Until dispatch has written them all. */
async function waiting(ground: Ground, count: number, at?: Date): Promise<void> {
  const patience = Date.now() + PATIENCE_MS;
  while ((await countDue(ground, at)) < count) {
    if (Date.now() > patience) throw new Error('dispatch has not written what is scheduled');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function countDue(ground: Ground, at?: Date): Promise<number> {
  const moment = at === undefined ? '' : `WHERE send_at = '${at.toISOString()}'`;
  const text = `SELECT count(*) AS n FROM dispatch.scheduled_messages ${moment}`;
  return Number((await ground.queryOf(DATABASE, text))[0]!['n']);
}

/** Copies of one that waits; none of them is due within the bench. */
async function wait(ground: Ground): Promise<void> {
  await ground.queryOf(
    DATABASE,
    `INSERT INTO dispatch.scheduled_messages (message_id, send_at, command)
     SELECT uuidv7(), send_at + make_interval(secs => n % 86400), command
     FROM (SELECT * FROM dispatch.scheduled_messages LIMIT 1) AS template
     CROSS JOIN generate_series(1, ${WAITING}) AS n`,
  );
  await ground.queryOf(DATABASE, 'ANALYZE dispatch.scheduled_messages');
}
