/**
 * G1: accepted, durable, charged sends a second against the plain peer, side by side, A B A B. Only gateway
 * and billing run: what is measured is acceptance; delivery goes on later from the queue.
 */
import { benchNumber } from './support/bench-number.ts';
import { COUNTING } from './support/counts.ts';
import { median, printTable, proportionalMegabytes } from './support/figures.ts';
import { type Contestant, Environment } from './support/environment.ts';
import { generator, type Measured, measure } from './support/load.ts';
import { busySince, machine, machineTimes } from './support/processor-time.ts';
import { UnitCosts } from './support/unit-cost.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 5);
const SECONDS = benchNumber('BENCH_SECONDS', 6);
const CONNECTIONS = 64;
const WORKSPACES = 100;

const BODIES = ['{"phone_number":"+234803%d"}'];

interface Case {
  name: string;
  workspaces: number;
  idempotencyKeys: boolean;
  goal: number;
}

const CASES: Case[] = [
  { name: '100 workspaces', workspaces: WORKSPACES, idempotencyKeys: false, goal: 5 },
  { name: '1 hot workspace', workspaces: 1, idempotencyKeys: false, goal: 12 },
  {
    name: '100 workspaces, Idempotency-Key',
    workspaces: WORKSPACES,
    idempotencyKeys: true,
    goal: 4.5,
  },
];

const once = (contestant: Contestant, { workspaces, idempotencyKeys }: Case, seconds: number) =>
  measure({
    url: contestant.url,
    path: '/v1/otp/send',
    keys: contestant.keys.slice(0, workspaces),
    bodies: BODIES,
    idempotencyKeys,
    connections: CONNECTIONS,
    seconds,
  });

export async function acceptBench(): Promise<void> {
  console.log(machine());
  const environment = await Environment.open(COUNTING);
  console.log(
    `${generator}, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s each, alternating`,
  );
  try {
    const ours = await environment.product('gateway,billing', WORKSPACES);
    const peer = await environment.naive(WORKSPACES);
    for (const contestant of [ours, peer]) await once(contestant, CASES[0]!, 3);
    const machineBefore = machineTimes();
    const rows: (string | number)[][] = [];
    for (const each of CASES) rows.push(...(await compare(ours, peer, each)));
    printTable(
      [
        'case',
        'who',
        'accepted/s',
        'p50 ms',
        'p99 ms',
        'failed',
        'PSS MB',
        'ratio',
        'p99 ratio',
        'goal',
      ],
      rows,
    );
    console.log(`The machine was ${Math.round(100 * busySince(machineBefore))} % busy.`);
    await printCosts(environment, ours);
  } finally {
    await environment.close();
  }
}

async function printCosts(environment: Environment, ours: Contestant): Promise<void> {
  const costs = new UnitCosts(environment, ours);
  for (const each of CASES) {
    await costs.measure(each.name, async () => {
      const { perSecond } = await once(ours, each, SECONDS);
      return perSecond * SECONDS;
    });
  }
  costs.print('an accepted send');
}

async function compare(ours: Contestant, peer: Contestant, each: Case) {
  const mine: Measured[] = [];
  const theirs: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    mine.push(await once(ours, each, SECONDS));
    theirs.push(await once(peer, each, SECONDS));
  }
  const ratio = median(mine.map((figure, index) => figure.perSecond / theirs[index]!.perSecond));
  const tail = median(mine.map((figure, index) => figure.p99Ms / theirs[index]!.p99Ms));
  return [
    [...row(each.name, ours, mine), `${ratio.toFixed(2)}x`, tail.toFixed(2), `>= ${each.goal}x`],
    [...row(each.name, peer, theirs), '', '', ''],
  ];
}

function row(name: string, contestant: Contestant, figures: Measured[]): (string | number)[] {
  return [
    name,
    contestant.name,
    Math.round(median(figures.map(({ perSecond }) => perSecond))),
    median(figures.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(figures.map(({ p99Ms }) => p99Ms)).toFixed(2),
    figures.reduce((sum, { failed }) => sum + failed, 0),
    proportionalMegabytes(contestant.pid),
  ];
}
