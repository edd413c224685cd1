/**
 * How long a message takes after its send was answered: until the carrier has it, and until the
 * webhook got its delivery. Over Kafka against one process, alternating, at 30 % of the chain's
 * measured capacity over Kafka, and at 10 %. At a lower rate batches are smaller and a message
 * costs more, so 30 % of the rate may use both cores: the load of the machine is printed. The
 * carrier waits 50 ms before the receipt.
 */
import { eventually } from '@watchword/testing';
import { request } from 'undici';
import { benchNumber } from '../support/bench-number.ts';
import { median, printTable, residentMegabytes } from '../support/figures.ts';
import type { Environment } from '../support/environment.ts';
import {
  busySince,
  machineTimes,
  type ProcessorTimes,
  processorTimes,
  spentBetween,
} from '../support/processor-time.ts';
import { Installation } from './installation.ts';
import { Receiver } from './receiver.ts';
import { refusals, type Send, sendAll, sendAtRate } from './sends.ts';
import { quantile } from '../support/quantile.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 3);
const SECONDS = benchNumber('BENCH_SECONDS', 8);
const LOADS = [0.1, 0.3];
const WORKSPACES = 20;
/** Enough for a rate, not too many for the patience. */
const BURST = 4_000;
const WARM_UP = 1_500;
const timeoutMs = 60_000;

const everything = { gateway: 1, billing: 1, dispatch: 1, webhooks: 1 };

interface BreakableProxy {
  toProvider: number[];
  toWebhook: number[];
  /** Share of the machine's processors, the load's own part included. */
  busy: number;
  processorMs: ProcessorTimes;
}

export async function latencyPart(environment: Environment): Promise<void> {
  const receiver = await Receiver.start();
  const installations: Installation[] = [];
  try {
    for (const [name, apart] of [
      ['one process', false],
      ['apart, over Kafka', true],
    ] as const) {
      const wanted = { name, apart, replicas: everything, workspaces: WORKSPACES };
      installations.push(
        await Installation.start(environment, { ...wanted, webhookUrl: receiver.url }),
      );
    }
    const most: number[] = [];
    for (const one of installations) {
      await chainRate(one, receiver, WARM_UP);
      most.push(await chainRate(one, receiver, BURST));
    }
    const rates = installations.map(({ name }, index) => `${name} ${Math.round(most[index]!)}/s`);
    console.log(`\nThe whole chain at most: ${rates.join(', ')}`);
    for (const load of LOADS) {
      const perSecond = most[1]! * load;
      const ways = installations.map((): BreakableProxy[] => []);
      for (let count = 0; count < ROUNDS; count += 1) {
        for (const [index, one] of installations.entries()) {
          ways[index]!.push(await way(one, receiver, perSecond));
        }
      }
      receiver.assertAllDelivered();
      print(installations, { load, perSecond }, ways);
    }
    if (refusals > 0) console.log(`${refusals} sends were answered 503`);
  } finally {
    for (const one of installations) await one.close();
    await receiver.close();
  }
}

const targetOf = ({ urls: [url], keys }: Installation) => ({ url: url!, keys });

/** Messages a second, from the first send to the last webhook. */
async function chainRate(
  installation: Installation,
  receiver: Receiver,
  count: number,
): Promise<number> {
  const startedAt = performance.now();
  const sends = await sendAll(targetOf(installation), count);
  await delivered(receiver, sends);
  return count / ((performance.now() - startedAt) / 1_000);
}

async function delivered({ deliveredAt }: Receiver, sends: readonly Send[]): Promise<void> {
  const all = () => {
    const missing = sends.filter(({ id }) => !deliveredAt.has(id)).length;
    if (missing > 0)
      throw new Error(`${missing} of ${sends.length} messages are still on their way`);
  };
  await eventually(all, timeoutMs, 20);
}

async function way(
  installation: Installation,
  receiver: Receiver,
  perSecond: number,
): Promise<BreakableProxy> {
  const watched = installation.watched();
  const { simulatorUrl } = installation;
  await request(`${simulatorUrl}/_simulator/messages`, { method: 'DELETE' });
  const before = processorTimes(watched);
  const machineBefore = machineTimes();
  const sends = await sendAtRate(targetOf(installation), perSecond, SECONDS);
  await delivered(receiver, sends);
  const spent = spentBetween(before, processorTimes(watched));
  const busy = busySince(machineBefore);
  const { body } = await request(`${simulatorUrl}/_simulator/messages`);
  const taken = (await body.json()) as { to: string; received_at: string }[];
  const providerAt = new Map(taken.map(({ to, received_at: at }) => [to, Date.parse(at)]));
  return {
    toProvider: sends.map(({ to, acceptedAt }) => providerAt.get(to)! - acceptedAt),
    toWebhook: sends.map(({ id, acceptedAt }) => receiver.deliveredAt.get(id)! - acceptedAt),
    busy,
    processorMs: new Map([...spent].map(([name, ms]) => [name, ms / sends.length])),
  };
}

function print(
  installations: readonly Installation[],
  { load, perSecond }: { load: number; perSecond: number },
  ways: readonly BreakableProxy[][],
): void {
  const [near, far] = ways as [BreakableProxy[], BreakableProxy[]];
  const [oneBusy, kafkaBusy] = [near, far].map((all) =>
    Math.round(100 * median(all.map(({ busy }) => busy))),
  );
  console.log(
    `\nAfter the answer, at ${Math.round(perSecond)} sends/s (${100 * load} %), ${ROUNDS} rounds of ${SECONDS} s ` +
      `each, alternating; the machine is ${oneBusy} % busy with one process, ${kafkaBusy} % over Kafka`,
  );
  const rows = (['toProvider', 'toWebhook'] as const).flatMap((leg) =>
    [
      { name: 'p50', part: 0.5, goalMs: 25 },
      { name: 'p99', part: 0.99, goalMs: 100 },
    ].map(({ name, part, goalMs }) => {
      const of = (all: readonly BreakableProxy[]) => all.map((one) => quantile(one[leg], part));
      const added = of(far).map((ms, index) => ms - of(near)[index]!);
      return [
        leg === 'toProvider' ? 'carrier has it' : 'webhook delivered',
        name,
        ...[of(near), of(far), added].map((values) => median(values).toFixed(1)),
        `<= ${goalMs}`,
      ];
    }),
  );
  printTable(['until', '', 'one process ms', 'over Kafka ms', 'added ms', 'goal'], rows);
  printProcesses(installations, ways);
}

function printProcesses(
  installations: readonly Installation[],
  ways: readonly BreakableProxy[][],
): void {
  const rows = installations.flatMap((one, index) =>
    one
      .watched()
      .map(({ name, pids }) => [
        one.name,
        name,
        median(ways[index]!.map(({ processorMs }) => processorMs.get(name)!)).toFixed(3),
        name === 'PostgreSQL' ? '' : pids().reduce((sum, pid) => sum + residentMegabytes(pid), 0),
      ]),
  );
  console.log('\nCPU milliseconds of a message at that rate, and resident memory after it');
  printTable(['', 'process', 'CPU ms', 'MB'], rows);
}
