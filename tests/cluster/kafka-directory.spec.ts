/** A Kafka works in its own directory, which may have any name. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startKafka } from '@watchword/local-servers';
import { Kafka } from 'kafkajs';

const changed = ['KAFKA_BROKERS', 'LANG', 'LC_ALL'] as const;
const before = changed.map((name) => [name, process.env[name]] as const);
let place: string;

beforeAll(async () => {
  for (const name of changed) delete process.env[name];
  place = await mkdtemp(join(tmpdir(), 'watchword-kafka-'));
});
afterAll(async () => {
  for (const [name, value] of before) if (value !== undefined) process.env[name] = value;
  await rm(place, { recursive: true, force: true });
});

it('with letters beyond ASCII, commas and backslashes: there it is found again', async () => {
  const dataDir = join(place, "Jürgen's a, b\\c");
  for (const topic of ['first', 'second']) {
    const kafka = await startKafka({ dataDir });
    const admin = new Kafka({ brokers: [...kafka.brokers], logLevel: 0 }).admin();
    try {
      await admin.connect();
      await admin.createTopics({ topics: [{ topic }] });
    } finally {
      await admin.disconnect();
      await kafka.stop();
    }
  }
  const kept = await readdir(join(dataDir, 'kafka-1', 'logs'));
  expect(kept).toEqual(expect.arrayContaining(['meta.properties', 'first-0', 'second-0']));
  expect(await readdir(place)).toHaveLength(1);
});
