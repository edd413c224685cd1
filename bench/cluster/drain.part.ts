/**
 * How fast one and two replicas drain a backlog. Dispatch and webhooks are stopped (SIGSTOP) while
 * sends are accepted. Then dispatch continues until everything is delivered, and then webhooks.
 */
import { eventually } from '@watchword/testing';
import { benchNumber } from '../support/bench-number.ts';
import { median, printTable } from '../support/figures.ts';
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
import { type Send, sendAll } from './sends.ts';
import { quantile } from '../support/quantile.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 3);
const BACKLOG = benchNumber('BENCH_BACKLOG', 5_000);
const WARM_UP = 1_500;
const WORKSPACES = 20;
const timeoutMs = 120_000;

interface Drained {
  perSecond: number;
  processorMs: ProcessorTimes;
  /** Share of all processors, used by any program. */
  busy: number;
}

type Drains = Record<'dispatch' | 'webhooks', Drained>;

export async function drainPart(environment: Environment): Promise<void> {
  const receiver = await Receiver.start();
  const installations: Installation[] = [];
  try {
    for (const count of [1, 2]) {
      const replicas = { gateway: 1, billing: 1, dispatch: count, webhooks: count };
      const name = count === 1 ? 'one' : 'two';
      const wanted = { name, apart: true, replicas, workspaces: WORKSPACES };
      installations.push(
        await Installation.start(environment, { ...wanted, webhookUrl: receiver.url }),
      );
    }
    for (const one of installations) await drain(one, receiver, WARM_UP);
    const drains = installations.map((): Drains[] => []);
    for (let count = 0; count < ROUNDS; count += 1) {
      for (const [index, one] of installations.entries()) {
        drains[index]!.push(await drain(one, receiver, BACKLOG));
      }
    }
    receiver.assertAllDelivered();
    print(drains as [Drains[], Drains[]]);
  } finally {
    for (const one of installations) await one.close();
    await receiver.close();
  }
}

async function drain(
  installation: Installation,
  receiver: Receiver,
  count: number,
): Promise<Drains> {
  const { urls, keys } = installation;
  const stopped = (['dispatch', 'webhooks'] as const).flatMap((service) =>
    installation.processesOf(service),
  );
  stopped.forEach((process) => process.pause());
  const since = new Date();
  const sends = await sendAll({ url: urls[0]!, keys }, count);
  await installation.relayed('billing');
  const dispatch = await drained(installation, 'dispatch', count, () =>
    deliveries(installation, since, count),
  );
  await installation.relayed('dispatch');
  const webhooks = await drained(installation, 'webhooks', count, () =>
    webhooksAt(receiver, sends),
  );
  return { dispatch, webhooks };
}

/** Lets the service go on; `finish` resolves with the moment at which each message was done. */
async function drained(
  installation: Installation,
  service: 'dispatch' | 'webhooks',
  count: number,
  finish: () => Promise<number[]>,
): Promise<Drained> {
  const watched = installation.watched();
  const [before, machineBefore] = [processorTimes(watched), machineTimes()];
  installation.processesOf(service).forEach((process) => process.resume());
  const moments = await finish();
  const spent = spentBetween(before, processorTimes(watched));
  return {
    perSecond: steadyRate(moments),
    processorMs: new Map([...spent].map(([name, ms]) => [name, ms / count])),
    busy: busySince(machineBefore),
  };
}

/**
 * Returns the rate of the middle four fifths: the start of the group and the last few messages do
 * not count.
 */
function steadyRate(moments: readonly number[]): number {
  const [from, to] = [quantile(moments, 0.1), quantile(moments, 0.9)];
  return (0.8 * moments.length) / ((to - from) / 1_000);
}

/** Returns when dispatch had stored the receipt of each. */
async function deliveries(
  installation: Installation,
  since: Date,
  count: number,
): Promise<number[]> {
  const text = `select extract(epoch from delivered_at)::float8 * 1000 as at from dispatch.messages
                 where state = 'delivered' and created_at >= $1`;
  return untilAll(count, async () => {
    const rows = await installation.query<{ at: number }>(text, [since]);
    return rows.map(({ at }) => at);
  });
}

async function webhooksAt({ deliveredAt }: Receiver, sends: readonly Send[]): Promise<number[]> {
  return untilAll(sends.length, async () => sends.flatMap(({ id }) => deliveredAt.get(id) ?? []));
}

async function untilAll(count: number, read: () => Promise<number[]>): Promise<number[]> {
  const all = async () => {
    const moments = await read();
    const missing = count - moments.length;
    if (missing > 0) throw new Error(`${missing} of ${count} messages are not done`);
    return moments;
  };
  return eventually(all, timeoutMs, 250);
}

const COLUMNS = [
  'dispatch',
  'webhooks',
  'gateway',
  'billing',
  'PostgreSQL',
  'Kafka',
  'carrier-sim',
];

function print([alone, together]: [Drains[], Drains[]]): void {
  console.log(`\nBacklog of ${BACKLOG} messages, ${ROUNDS} rounds, alternating`);
  const rows = (['dispatch', 'webhooks'] as const).flatMap((service) =>
    [alone, together].map((drains, index) => {
      const of = (figure: (one: Drained) => number) =>
        median(drains.map((one) => figure(one[service])));
      const ratio = median(
        together.map((one, at) => one[service].perSecond / alone[at]![service].perSecond),
      );
      return [
        service,
        index + 1,
        Math.round(of(({ perSecond }) => perSecond)),
        index === 0 ? '' : `${ratio.toFixed(2)}x`,
        index === 0 ? '' : '>= 1.6x',
        `${Math.round(100 * of(({ busy }) => busy))} %`,
        ...COLUMNS.map((name) => of(({ processorMs }) => processorMs.get(name) ?? 0).toFixed(3)),
      ];
    }),
  );
  printTable(['what', 'replicas', 'a second', 'ratio', 'goal', 'machine busy', ...COLUMNS], rows);
  console.log('The columns at the right are CPU milliseconds of a message.');
}
