/**
 * Accepted sends a second through gateway and billing as separate processes, one and two of each,
 * against both in one process, alternating. The separate ones also carry their commands to Kafka,
 * which their CPU time includes; in one process that is not needed.
 */
import { benchNumber } from '../support/bench-number.ts';
import { median, printTable } from '../support/figures.ts';
import type { Environment } from '../support/environment.ts';
import { type Measured, measure } from '../support/load.ts';
import { type ProcessorTimes, processorTimes, spentBetween } from '../support/processor-time.ts';
import { Installation } from './installation.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 5);
const SECONDS = benchNumber('BENCH_SECONDS', 5);
const CONNECTIONS = 64;
const WORKSPACES = 100;
const WARM_UP_SECONDS = 3;

interface Round extends Measured {
  /** CPU time of each process per accepted send. */
  processorMs: ProcessorTimes;
}

export async function acceptPart(environment: Environment): Promise<void> {
  const shapes = [
    { name: 'one process', apart: false, replicas: { gateway: 1, billing: 1 } },
    { name: 'one of each', apart: true, replicas: { gateway: 1, billing: 1 } },
    { name: 'two of each', apart: true, replicas: { gateway: 2, billing: 2 } },
  ];
  const installations: Installation[] = [];
  try {
    for (const shape of shapes) {
      installations.push(
        await Installation.start(environment, { ...shape, workspaces: WORKSPACES }),
      );
    }
    for (const one of installations) await round(one, WARM_UP_SECONDS);
    const rounds = installations.map((): Round[] => []);
    for (let count = 0; count < ROUNDS; count += 1) {
      for (const [index, one] of installations.entries()) {
        rounds[index]!.push(await round(one, SECONDS));
      }
    }
    printRates(installations, rounds);
    printProcessorTimes(installations, rounds);
  } finally {
    for (const one of installations) await one.close();
  }
}

async function round(installation: Installation, seconds: number): Promise<Round> {
  const watched = [
    ...installation.watched(),
    { name: 'load generator', pids: () => [process.pid] },
  ];
  const before = processorTimes(watched);
  const parts = await Promise.all(
    installation.urls.map((url) =>
      measure({
        url,
        path: '/v1/otp/send',
        keys: installation.keys,
        bodies: ['{"phone_number":"+234803%d"}'],
        connections: CONNECTIONS / installation.urls.length,
        seconds,
      }),
    ),
  );
  await installation.relayed('billing');
  const spent = spentBetween(before, processorTimes(watched));
  const perSecond = parts.reduce((sum, part) => sum + part.perSecond, 0);
  const sends = perSecond * seconds;
  return {
    perSecond,
    p50Ms: median(parts.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...parts.map(({ p99Ms }) => p99Ms)),
    failed: parts.reduce((sum, { failed }) => sum + failed, 0),
    processorMs: new Map([...spent].map(([name, ms]) => [name, ms / sends])),
  };
}

function printRates(installations: readonly Installation[], rounds: readonly Round[][]): void {
  const base = rounds[0]!;
  const rows = rounds.map((own, index) => {
    const ratio = median(own.map(({ perSecond }, at) => perSecond / base[at]!.perSecond));
    const figure = (of: (one: Round) => number) => median(own.map(of));
    return [
      installations[index]!.name,
      Math.round(figure(({ perSecond }) => perSecond)),
      figure(({ p50Ms }) => p50Ms).toFixed(1),
      figure(({ p99Ms }) => p99Ms).toFixed(1),
      own.reduce((sum, { failed }) => sum + failed, 0),
      index === 0 ? '' : `${ratio.toFixed(2)}x`,
      index === 0 ? '' : '>= 0.8x',
    ];
  });
  console.log(`\nAccepted sends, ${ROUNDS} rounds of ${SECONDS} s each, alternating`);
  printTable(
    ['gateway and billing', 'accepted/s', 'p50 ms', 'p99 ms', 'failed', 'ratio', 'goal'],
    rows,
  );
}

const SERVICES = ['one process', 'gateway', 'billing'];
const COLUMNS = [...SERVICES, 'PostgreSQL', 'Kafka', 'Redis', 'load generator'];

/**
 * Two ratios that hold also where the processes have to share the processors: of all the work, which is
 * what counts on one full machine, and of the busiest process, which is what counts where each has a
 * processor to itself.
 */
function printProcessorTimes(
  installations: readonly Installation[],
  rounds: readonly Round[][],
): void {
  const shapes = rounds.map((own, index) => {
    const of = (name: string) => median(own.map(({ processorMs }) => processorMs.get(name) ?? 0));
    const { urls } = installations[index]!;
    const columns = COLUMNS.map(of);
    return {
      columns,
      all: sum(columns),
      busiest: Math.max(...SERVICES.map((name) => of(name) / urls.length)),
    };
  });
  const [base] = shapes;
  const rows = shapes.map(({ columns, all, busiest }, index) => [
    installations[index]!.name,
    ...columns.map((ms) => (ms === 0 ? '' : ms.toFixed(3))),
    all.toFixed(3),
    index === 0 ? '' : `${(base!.all / all).toFixed(2)}x`,
    index === 0 ? '' : `${(base!.busiest / busiest).toFixed(2)}x`,
  ]);
  console.log('\nCPU milliseconds for one accepted send, the way of its command to Kafka included');
  printTable(['gateway and billing', ...COLUMNS, 'all', 'of all', 'of the busiest'], rows);
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
