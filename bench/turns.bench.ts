/**
 * `BENCH_PRODUCT=../before npm run bench -- turns`: another build of the product and this one, each on a server of its own, in
 * turns of a few seconds. On a machine whose speed changes from one minute to the next, only the ratios within pairs say
 * anything; all of them are printed. `BENCH_CASES=accept,hot,keys,verify` chooses.
 */
import { benchNumber } from './support/bench-number.ts';
import { median, printTable, proportionalMegabytes } from './support/figures.ts';
import { type Contestant, Environment, productRoot, root } from './support/environment.ts';
import { generator, measure } from './support/load.ts';
import { machine, processorTimes } from './support/processor-time.ts';
import { deliveredOtps, verifiedPerSecond } from './verify.bench.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 8);
const SECONDS = benchNumber('BENCH_SECONDS', 3);
const CONNECTIONS = 64;
const WORKSPACES = 100;
/** Fewer than the memory of messages keeps. */
const VERIFICATIONS = 6_000;

interface Turn {
  perSecond: number;
  /** CPU time of Node for one request. */
  cpuMs: number;
  /** Memory of Node at the end of the turn. */
  megabytes: number;
}

interface Case {
  services: string;
  take: (from: Contestant) => Promise<Omit<Turn, 'megabytes'>>;
}

const SENDS = 'gateway,billing';
const CASES: Record<string, Case> = {
  accept: { services: SENDS, take: (from) => sends(from, from.keys) },
  hot: { services: SENDS, take: (from) => sends(from, from.keys.slice(0, 1)) },
  keys: { services: SENDS, take: (from) => sends(from, from.keys, true) },
  verify: { services: 'gateway,billing,dispatch', take: verifications },
};

export async function turnsBench(): Promise<void> {
  if (productRoot() === root) throw new Error('BENCH_PRODUCT has to name the other build');
  const known = Object.keys(CASES);
  const names = process.env['BENCH_CASES']?.split(',') ?? known;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`BENCH_CASES knows ${known}, and not ${unknown}`);
  console.log(machine());
  console.log(
    `${generator}, ${CONNECTIONS} connections, ${ROUNDS} pairs, ${SECONDS} s of sends each`,
  );
  for (const name of names) {
    const rows = await compare(name, CASES[name]!);
    printTable(['case', 'figure', 'other', 'this', 'ratio', 'of each pair'], rows);
  }
}

async function compare(name: string, one: Case): Promise<string[][]> {
  const environments: Environment[] = [];
  const open = async (built: string) => {
    const environment = await Environment.open();
    environments.push(environment);
    return environment.product(one.services, WORKSPACES, { testWorkspaces: 1, root: built });
  };
  try {
    return await inTurns(name, one, await open(productRoot()), await open(root));
  } finally {
    await Promise.allSettled(environments.map((environment) => environment.close()));
  }
}

/** The first turn of each warms it up. The side that begins changes from pair to pair. */
async function inTurns(
  name: string,
  { take }: Case,
  other: Contestant,
  own: Contestant,
): Promise<string[][]> {
  const [others, owns]: [Turn[], Turn[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const order: [Contestant, Turn[]][] = [
      [other, others],
      [own, owns],
    ];
    for (const [contestant, turns] of round % 2 === 0 ? order : order.toReversed()) {
      const turn = {
        ...(await take(contestant)),
        megabytes: proportionalMegabytes(contestant.pid),
      };
      if (round > 0) turns.push(turn);
    }
  }
  return [
    rowOf(name, 'a second', others, owns, ({ perSecond }) => perSecond),
    rowOf('', 'Node, CPU ms', others, owns, ({ cpuMs }) => cpuMs),
    rowOf('', 'Node, PSS MB', others, owns, ({ megabytes }) => megabytes),
  ];
}

function rowOf(
  name: string,
  figure: string,
  others: Turn[],
  owns: Turn[],
  of: (turn: Turn) => number,
): string[] {
  const shown = (turns: Turn[]) => median(turns.map(of)).toPrecision(4);
  const ratios = owns.map((turn, index) => of(turn) / of(others[index]!));
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(' ');
  return [name, figure, shown(others), shown(owns), `${median(ratios).toFixed(2)}x`, each];
}

function cpuMsOf({ pid }: Contestant): number {
  return processorTimes([{ name: 'Node', pids: () => [pid] }]).get('Node') ?? 0;
}

async function sends(to: Contestant, keys: string[], idempotencyKeys = false) {
  const before = cpuMsOf(to);
  const { perSecond, failed } = await measure({
    url: to.url,
    path: '/v1/otp/send',
    keys,
    bodies: ['{"phone_number":"+234803%d"}'],
    idempotencyKeys,
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  if (failed > 0 || perSecond === 0) throw new Error(`${failed} sends of ${to.url} failed`);
  return { perSecond, cpuMs: (cpuMsOf(to) - before) / (perSecond * SECONDS) };
}

async function verifications(contestant: Contestant) {
  const to = { ...contestant, keys: contestant.testKeys ?? [] };
  const otps = await deliveredOtps(to, VERIFICATIONS);
  const before = cpuMsOf(to);
  const perSecond = await verifiedPerSecond(to, otps);
  return { perSecond, cpuMs: (cpuMsOf(to) - before) / VERIFICATIONS };
}
