/**
 * The cost of the outbox on the way to Kafka: a send's command is written in its transaction and
 * carried by the relay, against a program that commits and then publishes itself. Both in turns, on
 * one Kafka and one PostgreSQL. It prints how long a sender waits, and when a consumer gets the
 * command.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOutbox, openKafkaBus, OutboxRelay } from '@watchword/bus';
import { type Topic, TOPICS } from '@watchword/contracts';
import { startKafka } from '@watchword/local-servers';
import { createLogger } from '@watchword/observability';
import { createPool, type DatabasePool } from '@watchword/postgres';
import { cloneDatabase } from '@watchword/testing';
import { benchNumber } from './support/bench-number.ts';
import { median, printTable } from './support/figures.ts';

const ROUNDS = benchNumber('BENCH_ROUNDS', 5);
const SECONDS = benchNumber('BENCH_SECONDS', 6);
const PER_SECOND = benchNumber('BENCH_RATE', 100);

/** The topic of the commands, for payloads that say nothing. */
const topic: Topic = {
  ...TOPICS.sendCommands,
  name: 'bench.commands.v1',
  messages: { x: {} as never },
};
const logger = createLogger({ service: 'bench', level: 'silent' });

class Tables1763500000001 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createOutbox('billing'));
    await runner.query('CREATE TABLE charges (id text PRIMARY KEY, credits bigint NOT NULL)');
  }
  async down(): Promise<void> {}
}

interface Times {
  answered: number[];
  handled: number[];
}

type Way = (id: string) => Promise<{ committedAt: number }>;

export async function outboxBench(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-bench-'));
  const [kafka, database] = await Promise.all([
    startKafka({ dataDir: directory, say: console.log }),
    cloneDatabase([{ schema: 'billing', migrations: [Tables1763500000001] }]),
  ]);
  const url = database.urlOf('billing');
  const pool = createPool({ url, max: 8, applicationName: 'bench', schema: 'billing' });
  const openBus = () =>
    openKafkaBus({ brokers: kafka.brokers, clientId: 'bench', logger, topics: [topic] });
  const [bus, consumer] = [await openBus(), await openBus()];
  const relay = await OutboxRelay.open({
    service: 'billing',
    url,
    topics: [topic],
    target: bus,
    logger,
  });
  const waiting = new Map<string, (at: number) => void>();
  await consumer.subscribe(topic, { group: 'bench' }, async (batch) => {
    for (const { id } of batch) waiting.get(id)?.(performance.now());
  });
  const ways: Record<string, Way> = {
    'outbox and relay': (id) => charged(pool, id, true),
    'publish after the commit': async (id) => {
      const charge = await charged(pool, id, false);
      const time = new Date().toISOString();
      await bus.publish(topic, [{ id, key: id, type: 'x', payload: '{}', time }]);
      return charge;
    },
  };
  try {
    await compare(ways, waiting);
  } finally {
    await relay.close();
    await Promise.all([bus.close(), consumer.close(), pool.end()]);
    await Promise.all([kafka.stop(), database.drop()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The charge, and the command beside it where there is an outbox: one statement, as billing's is. */
async function charged(pool: DatabasePool, id: string, withCommand: boolean) {
  const charge = 'INSERT INTO charges VALUES ($1, 5)';
  if (withCommand) {
    await pool.query(
      `WITH charge AS (${charge})
       INSERT INTO outbox (topic, key, message_id, type, payload)
       VALUES ('${topic.name}', $1::text, $1::text, 'x', '{}')`,
      [id],
    );
  } else await pool.query(charge, [id]);
  return { committedAt: performance.now() };
}

async function compare(
  ways: Record<string, Way>,
  waiting: Map<string, (at: number) => void>,
): Promise<void> {
  const times = new Map(Object.keys(ways).map((name) => [name, [] as Times[]]));
  // The first round warms both up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const taken = await run(`${name} ${round}`, way, waiting);
      if (round > 0) times.get(name)?.push(taken);
    }
  }
  const of = (part: readonly number[], share: number) =>
    part.toSorted((a, b) => a - b)[Math.floor((part.length - 1) * share)] as number;
  const cell = (rounds: readonly Times[], part: keyof Times, share: number) =>
    median(rounds.map((round) => of(round[part], share))).toFixed(1);
  console.log(`${PER_SECOND} a second, ${ROUNDS} rounds of ${SECONDS} s each, in turns`);
  printTable(
    ['way', 'answered p50 ms', 'p99 ms', 'with a consumer p50 ms after the commit', 'p99 ms'],
    [...times].map(([name, rounds]) => [
      name,
      cell(rounds, 'answered', 0.5),
      cell(rounds, 'answered', 0.99),
      cell(rounds, 'handled', 0.5),
      cell(rounds, 'handled', 0.99),
    ]),
  );
}

async function run(
  name: string,
  way: Way,
  waiting: Map<string, (at: number) => void>,
): Promise<Times> {
  const times: Times = { answered: [], handled: [] };
  const one = async (id: string) => {
    const handled = new Promise<number>((resolve) => waiting.set(id, resolve));
    const startedAt = performance.now();
    const { committedAt } = await way(id);
    times.answered.push(performance.now() - startedAt);
    times.handled.push((await handled) - committedAt);
    waiting.delete(id);
  };
  const all: Promise<void>[] = [];
  for (let n = 0; n < PER_SECOND * SECONDS; n += 1) {
    all.push(one(`${name} ${n}`));
    await sleep(1_000 / PER_SECOND);
  }
  await Promise.all(all);
  return times;
}
