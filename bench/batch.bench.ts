/**
 * Batches of 1,000 against single sends, alternating, on the same processes. The messages are scheduled, so that what is
 * measured is acceptance: no carrier is asked meanwhile.
 *
 * Goals: a batch takes at most 40 times as long as one send; 20 batches at once reach at least 1.5 times the rate of
 * single sends from 64 connections.
 */
import { request } from 'undici';
import { benchNumber } from './support/bench-number.ts';
import { median, printTable } from './support/figures.ts';
import { type Contestant, Ground } from './support/ground.ts';
import { generator, measure } from './support/load.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 5);
const SECONDS = benchNumber('BENCH_SECONDS', 5);
const ITEMS = 1_000;
const AT_ONCE = 20;
const CONNECTIONS = 64;
const SAMPLES = 20;
const HOUR_MS = 3_600_000;

let numbers = 0;
const number = () => `+234803${String(2_000_000 + (numbers++ % 7_000_000)).padStart(7, '0')}`;
const later = () => new Date(Date.now() + 24 * HOUR_MS).toISOString();

export async function batchBench(): Promise<void> {
  const ground = await Ground.open();
  console.log(`${generator}, ${ROUNDS} rounds, alternating`);
  try {
    const product = await ground.product('gateway,billing,dispatch', AT_ONCE);
    await singles(product, 2);
    await batches(product);
    const alone: { send: number; batch: number }[] = [];
    const together: { singles: number; batches: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push({ send: await oneSendMs(product), batch: await oneBatchMs(product) });
      together.push({ singles: await singles(product, SECONDS), batches: await batches(product) });
    }
    print(alone, together);
  } finally {
    await ground.close();
  }
}

function print(
  alone: { send: number; batch: number }[],
  together: { singles: number; batches: number }[],
): void {
  const of = <Row>(rows: Row[], read: (row: Row) => number) => median(rows.map(read));
  const times = of(alone, ({ send, batch }) => batch / send);
  const ratio = of(together, (one) => one.batches / one.singles);
  printTable(
    ['case', 'single sends', 'batches of 1,000', 'ratio', 'goal'],
    [
      [
        'one at a time, ms',
        of(alone, ({ send }) => send).toFixed(2),
        of(alone, ({ batch }) => batch).toFixed(1),
        `${times.toFixed(1)}x`,
        '<= 40x',
      ],
      [
        `${CONNECTIONS} sends, ${AT_ONCE} batches at once, messages/s`,
        Math.round(of(together, (one) => one.singles)),
        Math.round(of(together, (one) => one.batches)),
        `${ratio.toFixed(2)}x`,
        '>= 1.5x',
      ],
    ],
  );
}

async function post(
  { url }: Contestant,
  key: string,
  path: string,
  body: unknown,
): Promise<number> {
  const startedAt = performance.now();
  const answer = await request(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    headersTimeout: 60_000,
  });
  const json = (await answer.body.json()) as { accepted?: number };
  const isWhole = path.endsWith('/batch') ? json.accepted === ITEMS : true;
  if (answer.statusCode !== 202 || !isWhole) throw new Error(JSON.stringify(json).slice(0, 500));
  return performance.now() - startedAt;
}

const batchBody = () => ({
  from: 'Acme',
  send_at: later(),
  messages: Array.from({ length: ITEMS }, () => ({ to: number(), body: 'Your order is here.' })),
});

async function oneSendMs(product: Contestant): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const body = { to: number(), from: 'Acme', body: 'Your order is here.', send_at: later() };
    times.push(await post(product, product.keys[0]!, '/v1/sms', body));
  }
  return median(times);
}

async function oneBatchMs(product: Contestant): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < 5; sample += 1) {
    times.push(await post(product, product.keys[0]!, '/v1/sms/batch', batchBody()));
  }
  return median(times);
}

/** Messages a second. */
async function singles({ url, keys }: Contestant, seconds: number): Promise<number> {
  const text = `"from":"Acme","body":"Your order is here.","send_at":"${later()}"`;
  const { perSecond, failed } = await measure({
    url,
    path: '/v1/sms',
    keys,
    bodies: [`{"to":"+234803%d",${text}}`],
    connections: CONNECTIONS,
    seconds,
  });
  if (failed > perSecond / 100) throw new Error(`${failed} single sends were refused`);
  return perSecond;
}

/** Messages a second of 20 batches at once, each of a different workspace. */
async function batches(product: Contestant): Promise<number> {
  const bodies = product.keys.map(() => batchBody());
  const startedAt = performance.now();
  await Promise.all(
    product.keys.map((key, index) => post(product, key, '/v1/sms/batch', bodies[index])),
  );
  return (product.keys.length * ITEMS) / ((performance.now() - startedAt) / 1_000);
}
