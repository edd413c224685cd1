/**
 * What one message costs on its whole way (send, carrier, receipt, webhook) at rates that stay the same: CPU time of
 * each process, statements, commits, fsyncs and bytes of the write-ahead log; and how long it takes. CPU time and
 * counts stay true on a busy machine; milliseconds do not, so the load of the machine is printed. Last comes the rate
 * of the whole chain against what a plain peer accepts, and the cost at 30 % of it.
 *
 * `npm run bench -- chain [listed] [apart]`: `listed` prints the statements of a message as well, `apart` runs four services.
 */
import { eventually } from '@watchword/testing';
import { Installation } from './cluster/installation.ts';
import { Receiver } from './cluster/receiver.ts';
import { type Send, sendAll, sendAtRate, type Target } from './cluster/sends.ts';
import { benchNumber } from './support/bench-number.ts';
import {
  type Counts,
  countedBetween,
  COUNTING,
  countsOf,
  executedBetween,
  startCounting,
  type StatementCount,
  statementsOf,
  toldByAll,
  vacuumed,
} from './support/counts.ts';
import { median, printTable, proportionalMegabytes } from './support/figures.ts';
import { type Contestant, Environment } from './support/environment.ts';
import {
  busySince,
  machine,
  machineTimes,
  processorTimes,
  spentBetween,
} from './support/processor-time.ts';
import { quantile } from './support/quantile.ts';

const SECONDS = benchNumber('BENCH_SECONDS', 15);
const IDLE_SECONDS = benchNumber('BENCH_IDLE_SECONDS', 20);
const BURST = benchNumber('BENCH_BURST', 4_000);
const RATES = (process.env['BENCH_RATES'] ?? '1,50,100').split(',').map(Number);
/** Milliseconds. The carrier's own time is not the product's, so it reports the result at once. */
const RECEIPT_DELAY_MS = Number(process.env['BENCH_RECEIPT_MS'] ?? 0);
/** Four services over Kafka and Redis instead of one process. */
const APART = process.argv.includes('apart');
const WORKSPACES = 20;
const ROUNDS = benchNumber('BENCH_ROUNDS', 5);
/** Bursts after which V8 has compiled what is hot; a server at its limit has run for longer. */
const WARM_UP_ROUNDS = 3;
const WARM_UP = 500;
/** Of what the whole chain carries at once: a rate at which it is busy, but not strained. */
const PART = 0.3;
const timeoutMs = 60_000;
/** Neither the product nor what it stands on. */
const OTHERS = new Set(['carrier-sim']);

interface Idle {
  perSecond: Counts;
  processorMsPerSecond: number;
  megabytes: number;
  listed: StatementCount[];
}

interface MessageCost {
  sends: number;
  seconds: number;
  counts: Counts;
  processorMs: ReadonlyMap<string, number>;
  /** Milliseconds from the send's answer to its webhook. */
  p50Ms: number;
  p99Ms: number;
  busy: number;
  listed: StatementCount[];
}

export async function chainBench(): Promise<void> {
  await onInstallation(async (environment, installation, receiver) => {
    const target = targetOf(installation);
    await delivered(receiver, await sendAll(target, WARM_UP));
    const idle = await idleOf(installation);
    const naive = await environment.naive(WORKSPACES);
    await sendAll(naiveTarget(naive), WARM_UP);
    const atRate = async (perSecond: number) => {
      const cost = await costAt(installation, receiver, perSecond, idle);
      print(perSecond, cost, await sendP50Ms(naiveTarget(naive), perSecond));
    };
    for (const perSecond of RATES) await atRate(perSecond);
    printIdle(idle);
    const most = await wholeChain(target, receiver, naiveTarget(naive));
    await atRate(Math.round(PART * most));
    receiver.assertAllDelivered();
  });
}

/**
 * Alternating; all of ours are delivered before the peer's turn. The first rounds warm both up.
 * Returns how many of ours arrive in a second.
 */
async function wholeChain(target: Target, receiver: Receiver, naive: Target): Promise<number> {
  const perSecond = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return BURST / ((performance.now() - startedAt) / 1_000);
  };
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const own = await perSecond(async () => delivered(receiver, await sendAll(target, BURST)));
    const other = await perSecond(() => sendAll(naive, BURST));
    if (round < WARM_UP_ROUNDS) continue;
    ours.push(own);
    theirs.push(other);
  }
  const ratio = median(ours.map((rate, index) => rate / theirs[index]!));
  console.log(
    `\nThe whole chain, ${BURST} messages at once: ${Math.round(median(ours))}/s; the plain peer accepts ` +
      `${Math.round(median(theirs))}/s: ${ratio.toFixed(2)}x (goal 1.0x; rounds: ${ours.map(Math.round).join(' ')} ` +
      `and ${theirs.map(Math.round).join(' ')})`,
  );
  return median(ours);
}

async function onInstallation(
  work: (environment: Environment, installation: Installation, receiver: Receiver) => Promise<void>,
): Promise<void> {
  console.log(machine());
  const environment = await Environment.open(COUNTING);
  const receiver = await Receiver.start();
  const replicas = { gateway: 1, billing: 1, dispatch: 1, webhooks: 1 };
  const wanted = {
    name: APART ? 'one of each' : 'one process',
    apart: APART,
    replicas,
    workspaces: WORKSPACES,
    receiptDelayMs: RECEIPT_DELAY_MS,
  };
  let installation: Installation | undefined;
  try {
    installation = await Installation.start(environment, { ...wanted, webhookUrl: receiver.url });
    await startCounting(installation);
    await work(environment, installation, receiver);
  } finally {
    await installation?.close();
    await receiver.close();
    await environment.close();
  }
}

const targetOf = ({ urls: [url], keys }: Installation): Target => ({ url: url!, keys });

const naiveTarget = ({ url, keys }: Contestant): Target => ({ url, keys, path: '/v1/otp/send' });

async function delivered({ deliveredAt }: Receiver, sends: readonly Send[]): Promise<void> {
  const all = () => {
    const missing = sends.filter(({ id }) => !deliveredAt.has(id)).length;
    if (missing > 0) throw new Error(`${missing} of ${sends.length} are still on their way`);
  };
  await eventually(all, timeoutMs, 20);
}

/**
 * Measures an idle system. What was sent before is vacuumed first, so that the server does not do
 * it meanwhile.
 */
async function idleOf(installation: Installation): Promise<Idle> {
  await installation.query('VACUUM (ANALYZE)');
  await vacuumed(installation);
  await toldByAll();
  const watched = installation.watched().filter(({ name }) => !OTHERS.has(name));
  const listedBefore = await statementsOf(installation);
  const before = await countsOf(installation);
  const timesBefore = processorTimes(watched);
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1_000));
  const seconds = (performance.now() - startedAt) / 1_000;
  const spent = spentBetween(timesBefore, processorTimes(watched));
  const counted = countedBetween(before, await countsOf(installation));
  const listed = executedBetween(listedBefore, await statementsOf(installation));
  const services = watched
    .filter(({ name }) => name !== 'PostgreSQL')
    .flatMap(({ pids }) => pids());
  return {
    perSecond: times(counted, 1 / seconds),
    processorMsPerSecond: [...spent.values()].reduce((a, b) => a + b, 0) / seconds,
    megabytes: services.reduce((sum, pid) => sum + proportionalMegabytes(pid), 0),
    listed: listed.map((one) => ({ ...one, calls: one.calls / seconds, ms: one.ms / seconds })),
  };
}

async function costAt(
  installation: Installation,
  receiver: Receiver,
  perSecond: number,
  idle: Idle,
): Promise<MessageCost> {
  const watched = installation.watched().filter(({ name }) => !OTHERS.has(name));
  const listedBefore = await statementsOf(installation);
  const before = await countsOf(installation);
  const timesBefore = processorTimes(watched);
  const machineBefore = machineTimes();
  const startedAt = performance.now();
  const sends = await sendAtRate(targetOf(installation), perSecond, SECONDS);
  await delivered(receiver, sends);
  const spent = spentBetween(timesBefore, processorTimes(watched));
  const busy = busySince(machineBefore);
  const seconds = (performance.now() - startedAt) / 1_000;
  const listed = executedBetween(listedBefore, await statementsOf(installation));
  await toldByAll();
  const all = (performance.now() - startedAt) / 1_000;
  const counted = countedBetween(before, await countsOf(installation));
  const waits = sends.map(({ id, acceptedAt }) => receiver.deliveredAt.get(id)! - acceptedAt);
  const count = sends.length;
  return {
    sends: count,
    seconds,
    counts: times(countedBetween(times(idle.perSecond, all), counted), 1 / count),
    processorMs: new Map([...spent].map(([name, ms]) => [name, ms / count])),
    p50Ms: quantile(waits, 0.5),
    p99Ms: quantile(waits, 0.99),
    busy,
    listed: listed.map((one) => ({ ...one, calls: one.calls / count, ms: one.ms / count })),
  };
}

/** Milliseconds to the answer of a send at this rate. */
async function sendP50Ms(target: Target, perSecond: number): Promise<number> {
  const sends = await sendAtRate(target, perSecond, SECONDS / 2);
  return quantile(
    sends.map(({ sentAt, acceptedAt }) => acceptedAt - sentAt),
    0.5,
  );
}

function times({ statements, commits, fsyncs, walBytes }: Counts, factor: number): Counts {
  return {
    statements: statements * factor,
    commits: commits * factor,
    fsyncs: fsyncs * factor,
    walBytes: walBytes * factor,
  };
}

function print(perSecond: number, cost: MessageCost, peerP50Ms: number): void {
  const { counts, processorMs, listed } = cost;
  const all = [...processorMs.values()].reduce((a, b) => a + b, 0);
  console.log(
    `\n${perSecond} messages a second, ${cost.sends} in ${cost.seconds.toFixed(1)} s; the machine is ` +
      `${Math.round(100 * cost.busy)} % busy${cost.busy > 0.8 ? ': read no milliseconds of latency' : ''}`,
  );
  printTable(
    ['of a message', 'figure'],
    [
      ['CPU ms', all.toFixed(2)],
      ...[...processorMs].map(([name, ms]) => [`  ${name}`, ms.toFixed(2)]),
      ['statements (less the idle ones)', counts.statements.toFixed(1)],
      ['commits (less the idle ones)', counts.commits.toFixed(1)],
      ['fsyncs (less the idle ones)', counts.fsyncs.toFixed(1)],
      ['WAL bytes (less the idle ones)', Math.round(counts.walBytes)],
      ['send to webhook p50 ms', cost.p50Ms.toFixed(1)],
      ['send to webhook p99 ms', cost.p99Ms.toFixed(1)],
      ['send to webhook p50 in sends of the plain peer', (cost.p50Ms / peerP50Ms).toFixed(1)],
    ],
  );
  if (process.argv.includes('listed')) printStatements('a message', listed);
}

function printIdle({ perSecond, processorMsPerSecond, megabytes, listed }: Idle): void {
  console.log(`\nIdle, ${IDLE_SECONDS} s`);
  printTable(
    ['of a second', 'figure'],
    [
      ['statements', perSecond.statements.toFixed(1)],
      ['commits', perSecond.commits.toFixed(1)],
      ['fsyncs', perSecond.fsyncs.toFixed(1)],
      ['WAL bytes', Math.round(perSecond.walBytes)],
      ['CPU ms', processorMsPerSecond.toFixed(1)],
      ['memory of the services (PSS), MB', megabytes],
    ],
  );
  printStatements('a second', listed);
}

function printStatements(unit: string, listed: readonly StatementCount[]): void {
  printTable(
    [`times in ${unit}`, 'ms', 'statement'],
    listed
      .filter(({ calls }) => calls >= 0.02)
      .map(({ text, calls, ms }) => [calls.toFixed(2), ms.toFixed(3), text]),
  );
}
