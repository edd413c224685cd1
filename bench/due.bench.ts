/**
 * 10,000 messages that are due in the same second: how long until all of them are handed to sending, while
 * `BENCH_WAITING` others wait for a later day. Goal: 2 s after their moment.
 */
import { startCarrierSimHost } from '@watchword/carrier-sim';
import { request } from 'undici';
import { benchNumber } from './support/bench-number.ts';
import { median, printTable } from './support/figures.ts';
import { type Contestant, Ground } from './support/ground.ts';
import {
  processorTimes,
  spentBetween,
  type Watched,
  withChildren,
} from './support/processor-time.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 3);
const DUE = benchNumber('BENCH_DUE', 10_000);
const WAITING = benchNumber('BENCH_WAITING', 100_000);
const LEAD_SECONDS = benchNumber('BENCH_LEAD_SECONDS', 30);
const BATCH = 1_000;
const DATABASE = 'watchword';
const POLL_MS = 20;
const PATIENCE_MS = 60_000;
const SENT_WITHIN_MS = 300_000;
const DAY_MS = 24 * 3_600_000;

let numbers = 0;

const ACCOUNT = { username: 'watchword', apiKey: 'bench' };
/** An address without a listener: receipts belong to no hand-over. */
const NOWHERE = 'http://127.0.0.1:9';

export async function dueBench(): Promise<void> {
  const simulator = await startCarrierSimHost({
    accounts: { africas_talking: { ...ACCOUNT, callbackUrl: NOWHERE } },
    bounceExchangers: [],
    port: 0,
    preferredPort: 0,
    onRestart: () => console.error('the carrier died'),
  });
  const ground = await Ground.open();
  try {
    const product = await ground.product('gateway,billing,dispatch,webhooks', 1, {
      environment: {
        AFRICAS_TALKING_USERNAME: ACCOUNT.username,
        AFRICAS_TALKING_API_KEY: ACCOUNT.apiKey,
        AFRICAS_TALKING_BASE_URL: `${simulator.url}/africas-talking`,
        CALLBACK_BASE_URL: NOWHERE,
      },
    });
    await schedule(product, new Date(Date.now() + DAY_MS), BATCH);
    await waiting(ground, BATCH);
    await wait(ground);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push(await oneRound(ground, product));
      await allSent(ground, DUE * (round + 1));
    }
    print(rounds);
  } finally {
    await ground.close();
    await simulator.stop();
  }
}

/** CPU time is what a busy machine does not change. */
interface Round {
  lateMs: number;
  processMs: number;
  postgresMs: number;
}

function print(rounds: readonly Round[]): void {
  const lates = rounds.map(({ lateMs }) => lateMs);
  const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(2);
  printTable(
    [
      'case',
      'handed over after, s',
      'slowest, s',
      'goal',
      'CPU of the process, s',
      'of PostgreSQL, s',
    ],
    [
      [
        `${DUE} due in one second, ${WAITING} waiting`,
        seconds(median(lates)),
        seconds(Math.max(...lates)),
        '<= 2 s',
        seconds(median(rounds.map(({ processMs }) => processMs))),
        seconds(median(rounds.map(({ postgresMs }) => postgresMs))),
      ],
    ],
  );
}

async function oneRound(ground: Ground, product: Contestant): Promise<Round> {
  const dueAt = new Date(Math.ceil((Date.now() + LEAD_SECONDS * 1_000) / 1_000) * 1_000);
  await schedule(product, dueAt, DUE);
  if (Date.now() > dueAt.getTime()) throw new Error('too slow: raise BENCH_LEAD_SECONDS');
  await waiting(ground, DUE, dueAt);
  const client = await ground.connect(DATABASE);
  const text = 'SELECT FROM dispatch.scheduled_messages WHERE send_at = $1 LIMIT 1';
  const watched: Watched[] = [
    { name: 'process', pids: () => [product.pid] },
    { name: 'postgres', pids: () => withChildren(ground.postgres.pid) },
  ];
  await new Promise((resolve) => setTimeout(resolve, dueAt.getTime() - Date.now()));
  const before = processorTimes(watched);
  try {
    for (;;) {
      const { rowCount } = await client.query(text, [dueAt]);
      const late = Date.now() - dueAt.getTime();
      if (rowCount === 0) {
        const spent = spentBetween(before, processorTimes(watched));
        const [processMs, postgresMs] = [spent.get('process')!, spent.get('postgres')!];
        return { lateMs: late, processMs, postgresMs };
      }
      if (late > PATIENCE_MS) throw new Error(`not handed over within ${PATIENCE_MS} ms`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    await client.end();
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

/** Waits until dispatch has written them all. */
async function waiting(ground: Ground, count: number, at?: Date): Promise<void> {
  const patience = Date.now() + PATIENCE_MS;
  while ((await countDue(ground, at)) < count) {
    if (Date.now() > patience) throw new Error('dispatch has not written what is scheduled');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until each was given to the carrier. The next round starts when nothing is left. */
async function allSent(ground: Ground, count: number): Promise<void> {
  const text = `SELECT count(*) AS n FROM dispatch.messages WHERE state = 'sent'`;
  const patience = Date.now() + SENT_WITHIN_MS;
  while (Number((await ground.queryOf(DATABASE, text))[0]!['n']) < count) {
    if (Date.now() > patience) throw new Error('the carrier has not got all that was due');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
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
