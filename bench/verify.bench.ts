/**
 * G3: checking a code, against the plain peer's SELECT FOR UPDATE, compare, UPDATE, COMMIT. Codes of a round are sent
 * just before it, and their delivery is awaited. Then both verify right codes in turns: with one connection for the
 * latency, with 64 for the rate, there with a generator that takes little of the machine. Ours counts the attempt,
 * keeps the budget and announces the event; the peer does not.
 */
import { eventually } from '@watchword/testing';
import { Pool } from 'undici';
import { benchNumber } from './support/bench-number.ts';
import { COUNTING } from './support/counts.ts';
import { median, printTable } from './support/figures.ts';
import { type Contestant, Environment } from './support/environment.ts';
import { generator, ratePerSecond } from './support/load.ts';
import { busySince, machine, machineTimes } from './support/processor-time.ts';
import { UnitCosts } from './support/unit-cost.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 5);
/** Codes of a round with one connection, and with many: fewer than the memory of messages keeps. */
const EACH = benchNumber('BENCH_EACH', 1_000);
const EACH_TOGETHER = benchNumber('BENCH_EACH_TOGETHER', 6_000);
const TOGETHER = 64;

interface Otp {
  id: string;
  code: string;
}

/** The code of a test-mode OTP: nothing has to be read from a handset. */
const TEST_CODE = '123456';

export async function verifyBench(): Promise<void> {
  console.log(machine());
  const environment = await Environment.open(COUNTING);
  console.log(`${generator}, ${ROUNDS} rounds, alternating`);
  try {
    const ours = await environment.product('gateway,billing,dispatch', 1, { key: 'test_key' });
    const peer = await environment.naive(1, { EXPOSE_CODE: '1' });
    const before = machineTimes();
    printTable(
      ['connections', 'who', 'verified/s', 'p50 ms', 'p99 ms', 'p50 ratio', 'rate ratio'],
      [...(await alone(ours, peer)), ...(await together(ours, peer))],
    );
    console.log(
      'goal: p50 ratio <= 0.80 with one connection, rate ratio >= 4 with 64 (stretch: 6)',
    );
    console.log(`The machine was ${Math.round(100 * busySince(before))} % busy.`);
    await printCosts(environment, ours);
  } finally {
    await environment.close();
  }
}

async function printCosts(environment: Environment, ours: Contestant): Promise<void> {
  const costs = new UnitCosts(environment, ours);
  const few = await deliveredOtps(ours, EACH);
  await costs.measure('1 connection', async () => {
    await verifyMany(ours, few);
    return few.length;
  });
  const many = await deliveredOtps(ours, EACH_TOGETHER);
  await costs.measure(`${TOGETHER} connections`, async () => {
    await verifiedPerSecond(ours, many);
    return many.length;
  });
  costs.print('a verification');
}

/** Alternating, each round with codes sent just before; the first round warms both up. */
async function alternate<Figure>(
  contestants: readonly [Contestant, Contestant],
  each: number,
  measured: (contestant: Contestant, otps: Otp[]) => Promise<Figure>,
): Promise<readonly [Figure[], Figure[]]> {
  const [ours, peer] = contestants;
  const figures: [Figure[], Figure[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [theirs, mine] = [await sendMany(peer, each), await deliveredOtps(ours, each)];
    const [a, b] = [await measured(ours, mine), await measured(peer, theirs)];
    if (round === 0) continue;
    figures[0].push(a);
    figures[1].push(b);
  }
  return figures;
}

async function alone(ours: Contestant, peer: Contestant): Promise<(string | number)[][]> {
  const [mine, theirs] = await alternate([ours, peer], EACH, verifyMany);
  const ratio = (of: (figure: Figures) => number) =>
    median(mine.map((figure, index) => of(figure) / of(theirs[index]!))).toFixed(2);
  return [
    [...row(ours, mine), ratio(({ p50Ms }) => p50Ms), ratio(({ perSecond }) => perSecond)],
    [...row(peer, theirs), '', ''],
  ];
}

async function together(ours: Contestant, peer: Contestant): Promise<(string | number)[][]> {
  const [mine, theirs] = await alternate([ours, peer], EACH_TOGETHER, verifiedPerSecond);
  const ratio = median(mine.map((rate, index) => rate / theirs[index]!));
  const rowOf = ({ name }: Contestant, rates: number[], last: string) => [
    TOGETHER,
    name,
    Math.round(median(rates)),
    '',
    '',
    '',
    last,
  ];
  return [rowOf(ours, mine, ratio.toFixed(2)), rowOf(peer, theirs, '')];
}

/** Verifies each code once, over many connections. */
export function verifiedPerSecond({ url, keys }: Contestant, otps: Otp[]): Promise<number> {
  return ratePerSecond({
    url,
    path: '/v1/otp/verify',
    key: keys[0]!,
    bodies: otps.map(({ id, code }) => JSON.stringify({ otp_id: id, code })),
    connections: TOGETHER,
  });
}

interface Figures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

function row({ name }: Contestant, figures: Figures[]): (string | number)[] {
  return [
    1,
    name,
    Math.round(median(figures.map(({ perSecond }) => perSecond))),
    median(figures.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(figures.map(({ p99Ms }) => p99Ms)).toFixed(2),
  ];
}

/** Runs `work` for each item with at most `width` at a time. */
async function inParallel<Item>(items: Item[], width: number, work: (item: Item) => Promise<void>) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

async function post(pool: Pool, path: string, key: string, body: unknown): Promise<unknown> {
  const answer = await pool.request({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const json = await answer.body.json();
  if (answer.statusCode !== 200) throw new Error(`${path}: ${JSON.stringify(json)}`);
  return json;
}

/** Above the magic numbers of test mode. */
let numbers = 1_000;

/** Codes that can be verified without delivery beside it. */
export async function deliveredOtps(ours: Contestant, count: number): Promise<Otp[]> {
  const sent = await sendMany(ours, count);
  await settle(ours, sent);
  return sent;
}

async function sendMany({ url, keys }: Contestant, count: number): Promise<Otp[]> {
  const pool = new Pool(url, { connections: 64 });
  const sent: Otp[] = [];
  await inParallel(Array.from({ length: count }), 64, async () => {
    numbers += 1;
    const body = { phone_number: `+234803${String(numbers).padStart(7, '0')}` };
    const json = (await post(pool, '/v1/otp/send', keys[0]!, body)) as Partial<Otp>;
    sent.push({ id: json.id!, code: json.code ?? TEST_CODE });
  });
  await pool.close();
  return sent;
}

const SAMPLE = 200;
const DELIVERED_WITHIN_MS = 60_000;

/** Waits until a sample of them and the last one are delivered, so that delivery disturbs no measurement. */
async function settle({ url, keys }: Contestant, sent: Otp[]): Promise<void> {
  const pool = new Pool(url);
  const headers = { authorization: `Bearer ${keys[0]}` };
  const step = Math.ceil(sent.length / SAMPLE);
  for (const { id } of sent.toReversed().filter((_, index) => index % step === 0)) {
    const isDelivered = async () => {
      const answer = await pool.request({ method: 'GET', path: `/v1/otp/${id}`, headers });
      const { status } = (await answer.body.json()) as { status: string };
      if (status !== 'delivered') throw new Error(`${id} is ${status}`);
    };
    await eventually(isDelivered, DELIVERED_WITHIN_MS, 100);
  }
  await pool.close();
}

async function verifyMany({ url, keys }: Contestant, otps: Otp[]): Promise<Figures> {
  const pool = new Pool(url, { connections: 1 });
  const latencies: number[] = [];
  const started = performance.now();
  for (const { id, code } of otps) {
    const at = performance.now();
    const json = (await post(pool, '/v1/otp/verify', keys[0]!, { otp_id: id, code })) as {
      valid: boolean;
    };
    latencies.push(performance.now() - at);
    if (!json.valid) throw new Error(`a right code was refused: ${id}`);
  }
  const seconds = (performance.now() - started) / 1_000;
  await pool.close();
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    perSecond: otps.length / seconds,
    p50Ms: sorted[sorted.length >> 1]!,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)]!,
  };
}
