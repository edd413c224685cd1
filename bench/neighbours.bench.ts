/**
 * What a workspace with nine tenths of the traffic does to the others: the same number of connections sends for ten
 * workspaces alike, and then 90 % of them for one. Watched are the others, each with its own connections.
 */
import { benchNumber } from './support/bench-number.ts';
import { median, printTable } from './support/figures.ts';
import { type Contestant, Ground } from './support/ground.ts';
import { generator, type Measured, measure } from './support/load.ts';
import { machine } from './support/processor-time.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 5);
const SECONDS = benchNumber('BENCH_SECONDS', 6);
const CONNECTIONS = 60;
const CONNECTIONS_OF_OTHERS = CONNECTIONS / 10;
const WORKSPACES = 10;
const GOAL = 1.5;

const send = ({ url }: Contestant, keys: string[], connections: number, seconds = SECONDS) =>
  measure({
    url,
    path: '/v1/otp/send',
    keys,
    bodies: ['{"phone_number":"+234803%d"}'],
    connections,
    seconds,
  });

/** Returns what the others saw while `crowd` sent the rest. */
async function others(contestant: Contestant, crowd: string[]): Promise<Measured> {
  const few = contestant.keys.slice(1);
  const [seen] = await Promise.all([
    send(contestant, few, CONNECTIONS_OF_OTHERS),
    send(contestant, crowd, CONNECTIONS - CONNECTIONS_OF_OTHERS),
  ]);
  return seen;
}

export async function neighboursBench(): Promise<void> {
  console.log(machine());
  const ground = await Ground.open();
  console.log(
    `${generator}, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, alternating`,
  );
  try {
    const ours = await ground.product('gateway,billing', WORKSPACES);
    await send(ours, ours.keys, CONNECTIONS, 3);
    const [alike, one]: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      alike.push(await others(ours, ours.keys));
      one.push(await others(ours, ours.keys.slice(0, 1)));
    }
    const ratio = (of: (seen: Measured) => number) =>
      `${median(one.map((seen, index) => of(seen) / of(alike[index]!))).toFixed(2)}x`;
    printTable(
      ['nine workspaces beside', 'accepted/s', 'p50 ms', 'p99 ms', 'failed'],
      [
        ['each other', ...row(alike)],
        ['one with 90 % of the traffic', ...row(one)],
        [
          'ratio',
          ratio((seen) => seen.perSecond),
          ratio((seen) => seen.p50Ms),
          ratio((seen) => seen.p99Ms),
          '',
        ],
      ],
    );
    console.log(`goal: p99 ratio <= ${GOAL}`);
  } finally {
    await ground.close();
  }
}

function row(figures: Measured[]): (string | number)[] {
  return [
    Math.round(median(figures.map(({ perSecond }) => perSecond))),
    median(figures.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(figures.map(({ p99Ms }) => p99Ms)).toFixed(2),
    figures.reduce((sum, { failed }) => sum + failed, 0),
  ];
}
