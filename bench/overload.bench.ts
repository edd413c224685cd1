/**
 * `npm run bench -- chain overload`: what is delivered while three times as much is sent as the whole chain can carry,
 * against what it delivers of a burst; and how soon those are refused that are refused. Sends come at their
 * rate, however slow the answers are. Then the same from one workspace with nine tenths of the traffic: how long the
 * others wait for their acceptance, against the same flood of all alike.
 *
 * Generator, receiver and carrier share the machine, so three times the sends leave less of it to the product: the
 * table says what they took. The generator's own delay is part of each answer's time.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Pool } from 'undici';
import { delivered, onInstallation, targetOf, warmUp } from './chain.bench.ts';
import type { Installation } from './cluster/installation.ts';
import { moment, type Receiver } from './cluster/receiver.ts';
import { type Send, sendAll, type Target } from './cluster/sends.ts';
import { benchNumber } from './support/bench-number.ts';
import { printTable } from './support/figures.ts';
import {
  busySince,
  machineTimes,
  processorTimes,
  type ProcessorTimes,
  spentBetween,
} from './support/processor-time.ts';
import { quantile } from './support/quantile.ts';

const BURST = benchNumber('BENCH_BURST', 4_000);
const SECONDS = benchNumber('BENCH_SECONDS', 15);
const TIMES = 3;
/**
 * Most open sends, each on its own connection, so that none waits at its caller. Further ones are
 * given up.
 */
const UNANSWERED_MAX = benchNumber('BENCH_CONNECTIONS', 400);
const HOG_SHARE = 0.9;

interface Answer {
  key: string;
  status: number;
  ms: number;
}

interface Flood {
  sends: Send[];
  answers: Answer[];
  withoutRetryAfter: number;
  givenUp: number;
}

/** Messages delivered during a flood, and their cost. */
interface Held {
  flood: Flood;
  perSecond: number;
  busy: number;
  drainSeconds: number;
  spent: ProcessorTimes;
  generatorMs: number;
}

/** The key of the send with this number. */
type Choice = (index: number) => string;

export async function overloadBench(): Promise<void> {
  await onInstallation(async (_ground, installation, receiver) => {
    const target = targetOf(installation);
    await warmUp(receiver, target);
    const before = processorTimes(watched(installation));
    const startedAt = performance.now();
    await delivered(receiver, await sendAll(target, BURST));
    const best = BURST / ((performance.now() - startedAt) / 1_000);
    const spent = spentBetween(before, processorTimes(watched(installation)));
    const [hog, ...others] = target.keys as [string, ...string[]];
    const evenly: Choice = (index) => target.keys[index % target.keys.length]!;
    const unevenly: Choice = (index) =>
      index % 10 < 10 * HOG_SHARE ? hog : others[Math.floor(index / 10) % others.length]!;
    const even = await hold(installation, receiver, TIMES * best, evenly);
    print(best, spent, even);
    const uneven = await hold(installation, receiver, TIMES * best, unevenly);
    printShares(hog, even.flood, uneven.flood);
    receiver.assertAllDelivered();
  });
}

/** The product by process, and all else that the bench has running. */
function watched(installation: Installation) {
  return [...installation.watched(), { name: 'generator and receiver', pids: () => [process.pid] }];
}

async function hold(
  installation: Installation,
  receiver: Receiver,
  perSecond: number,
  choose: Choice,
): Promise<Held> {
  const before = { machine: machineTimes(), spent: processorTimes(watched(installation)) };
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const from = moment();
  const flood = await floodOf(targetOf(installation), perSecond, choose);
  const spent = spentBetween(before.spent, processorTimes(watched(installation)));
  delay.disable();
  const until = from + SECONDS * 1_000;
  const inTime = [...receiver.deliveredAt.values()].filter((at) => at >= from && at < until);
  const busy = busySince(before.machine);
  const drainedFrom = performance.now();
  await delivered(receiver, flood.sends);
  const drainSeconds = (performance.now() - drainedFrom) / 1_000;
  const generatorMs = delay.percentile(99) / 1e6;
  return { flood, perSecond: inTime.length / SECONDS, busy, drainSeconds, spent, generatorMs };
}

async function floodOf({ url }: Target, perSecond: number, choose: Choice): Promise<Flood> {
  const pool = await openedPool(url);
  const flood: Flood = { sends: [], answers: [], withoutRetryAfter: 0, givenUp: 0 };
  const total = Math.round(perSecond * SECONDS);
  const startedAt = performance.now();
  const open = new Set<Promise<void>>();
  for (let begun = 0; begun < total;) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1_000) * perSecond);
    for (; begun < due; begun += 1) {
      if (open.size >= UNANSWERED_MAX) {
        flood.givenUp += 1;
        continue;
      }
      const one: Promise<void> = send(pool, choose(begun), flood);
      open.add(one);
      void one.finally(() => open.delete(one));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(open);
  await pool.close();
  return flood;
}

/** With all connections open, as the pools of clients are: opening them is not what is measured. */
async function openedPool(url: string): Promise<Pool> {
  const pool = new Pool(url, { connections: UNANSWERED_MAX, connect: { timeout: 60_000 } });
  const ask = async () => (await pool.request({ method: 'GET', path: '/health' })).body.dump();
  await Promise.all(Array.from({ length: UNANSWERED_MAX }, ask));
  return pool;
}

let numbers = 0;

async function send(pool: Pool, key: string, flood: Flood): Promise<void> {
  numbers += 1;
  const to = `+234805${String(numbers).padStart(7, '0')}`;
  const startedAt = performance.now();
  const sentAt = moment();
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: '/v1/sms/send',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone_number: to, message: `Your order ${numbers} has left our shop.` }),
  });
  const answer = (await body.json()) as { id: string };
  const acceptedAt = moment();
  flood.answers.push({ key, status: statusCode, ms: performance.now() - startedAt });
  if (statusCode === 200) flood.sends.push({ id: answer.id, to, sentAt, acceptedAt });
  else if (statusCode === 503 || statusCode === 429) {
    if (headers['retry-after'] === undefined) flood.withoutRetryAfter += 1;
  } else throw new Error(`a send was answered ${statusCode}: ${JSON.stringify(answer)}`);
}

const isRefusal = ({ status }: Answer) => status !== 200;

function waitOf(answers: readonly Answer[], part: number): string {
  if (answers.length === 0) return '-';
  const waits = answers.map(({ ms }) => ms);
  return quantile(waits, part).toFixed(1);
}

function print(best: number, spentOfBurst: ProcessorTimes, held: Held): void {
  const { flood, perSecond, busy, drainSeconds, spent, generatorMs } = held;
  const refused = flood.answers.filter(isRefusal);
  const accepted = flood.answers.filter((answer) => !isRefusal(answer));
  console.log(
    `\n${TIMES} times the rate of the chain, ${SECONDS} s; the machine is ${Math.round(100 * busy)} % busy`,
  );
  printTable(
    ['what', 'figure', 'goal'],
    [
      ['delivered of a burst, a second', Math.round(best), ''],
      ['delivered under overload, a second', Math.round(perSecond), ''],
      ['ratio', `${(perSecond / best).toFixed(2)}x`, '>= 0.9x'],
      ['accepted', accepted.length, ''],
      ['p50, p99 of an acceptance, ms', `${waitOf(accepted, 0.5)}, ${waitOf(accepted, 0.99)}`, ''],
      ['refused with 429 or 503', refused.length, ''],
      ['of these without Retry-After', flood.withoutRetryAfter, '0'],
      ['p50 of a refusal, ms', waitOf(refused, 0.5), ''],
      ['p99 of a refusal, ms', waitOf(refused, 0.99), '<= 50'],
      ['p99 of the delay of the generator itself, ms', generatorMs.toFixed(1), ''],
      ['given up by the generator', flood.givenUp, ''],
      ['until the last accepted one is delivered, s', drainSeconds.toFixed(1), ''],
    ],
  );
  printTable(
    ['CPU ms of a delivered message', 'of the burst', 'under overload'],
    [...spent].map(([name, ms]) => [
      name,
      (spentOfBurst.get(name)! / BURST).toFixed(2),
      (ms / (perSecond * SECONDS)).toFixed(2),
    ]),
  );
}

function printShares(hog: string, even: Flood, uneven: Flood): void {
  const rowOf = (name: string, answers: readonly Answer[]) => {
    const accepted = answers.filter((answer) => !isRefusal(answer));
    const refused = answers.filter(isRefusal);
    const share = `${Math.round((100 * refused.length) / answers.length)} %`;
    const waits = [waitOf(accepted, 0.5), waitOf(accepted, 0.99), waitOf(refused, 0.99)];
    return [name, answers.length, share, ...waits];
  };
  console.log(`\nOne workspace with ${100 * HOG_SHARE} % of the same flood`);
  printTable(
    ['who', 'sends', 'refused', 'p50 of an acceptance, ms', 'p99, ms', 'p99 of a refusal, ms'],
    [
      rowOf('all alike', even.answers),
      rowOf(
        'the one',
        uneven.answers.filter(({ key }) => key === hog),
      ),
      rowOf(
        'the others',
        uneven.answers.filter(({ key }) => key !== hog),
      ),
    ],
  );
}
