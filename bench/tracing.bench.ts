/**
 * The cost of tracing for acceptance: the product without it, with every message traced, and with
 * one in a hundred, in turns. The collector answers at once, in the bench's process.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { benchNumber } from './support/bench-number.ts';
import { median, printTable } from './support/figures.ts';
import { type Contestant, Ground } from './support/ground.ts';
import { measure } from './support/load.ts';
import { machine, processorTimes } from './support/processor-time.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 5);
const SECONDS = benchNumber('BENCH_SECONDS', 5);
const CONNECTIONS = 64;
const WORKSPACES = 100;

interface Round {
  perSecond: number;
  /** CPU time of the product's process per accepted send. */
  processorMs: number;
}

export async function tracingBench(): Promise<void> {
  console.log(machine());
  const collector = await startCollector();
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const sampled = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' };
  const grounds: Ground[] = [];
  const product = async (environment: Record<string, string>) => {
    // A PostgreSQL each: a second product would give the services' roles new passwords.
    const ground = await Ground.open();
    grounds.push(ground);
    return ground.product('gateway,billing', WORKSPACES, { environment });
  };
  try {
    const shapes = {
      'not traced': await product({}),
      'every message': await product(traced),
      'one in a hundred': await product({ ...traced, ...sampled }),
    };
    for (const contestant of Object.values(shapes)) await once(contestant, 2);
    const rounds = await inTurns(shapes);
    if (collector.bytes() === 0) throw new Error('no span reached the collector');
    printTable(
      ['traced', 'accepted/s', 'rate', 'CPU ms of a send', 'CPU'],
      Object.keys(shapes).map((name) => row(name, rounds.get(name)!, rounds.get('not traced')!)),
    );
  } finally {
    for (const ground of grounds) await ground.close();
    collector.close();
  }
}

async function inTurns(shapes: Record<string, Contestant>): Promise<Map<string, Round[]>> {
  const rounds = new Map<string, Round[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, contestant] of Object.entries(shapes)) {
      rounds.set(name, [...(rounds.get(name) ?? []), await once(contestant, SECONDS)]);
    }
  }
  return rounds;
}

async function once(contestant: Contestant, seconds: number): Promise<Round> {
  const spent = () =>
    processorTimes([{ name: 'product', pids: () => [contestant.pid] }]).get('product')!;
  const before = spent();
  const { perSecond, failed } = await measure({
    url: contestant.url,
    path: '/v1/otp/send',
    keys: contestant.keys,
    bodies: ['{"phone_number":"+234803%d"}'],
    connections: CONNECTIONS,
    seconds,
  });
  if (failed > 0) throw new Error(`${failed} sends were not accepted`);
  return { perSecond, processorMs: (spent() - before) / (perSecond * seconds) };
}

/** The ratios are within the round, because its runs had the same machine. */
function row(name: string, rounds: Round[], untraced: Round[]): (string | number)[] {
  const ratio = (of: keyof Round) =>
    `${median(rounds.map((round, index) => round[of] / untraced[index]![of])).toFixed(2)}x`;
  return [
    name,
    Math.round(median(rounds.map(({ perSecond }) => perSecond))),
    ratio('perSecond'),
    median(rounds.map(({ processorMs }) => processorMs)).toFixed(3),
    ratio('processorMs'),
  ];
}

/** Takes what it is sent, and counts it. */
async function startCollector() {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bytes,
    close: () => server.close(),
  };
}
