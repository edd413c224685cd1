import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type KafkaHost, startKafka } from './local-kafka.js';

const { KAFKA_BROKERS: given } = process.env;
let directory: string;

beforeEach(async () => {
  delete process.env['KAFKA_BROKERS'];
  directory = await mkdtemp(join(tmpdir(), 'watchword-kafka-'));
});
afterEach(async () => {
  if (given !== undefined) process.env['KAFKA_BROKERS'] = given;
  await rm(directory, { recursive: true, force: true });
});

/** Starts nothing, and notes what it was asked to run. */
function notingHost(ran: (readonly string[])[]): KafkaHost {
  return {
    java: 'java',
    classPath: 'jars/*',
    run: async (_, args) => void ran.push(args),
    server: ({ name }) => ({
      name,
      start: async () => undefined,
      stop: async () => undefined,
      hasEnded: async () => false,
    }),
  };
}

describe('the id of a cluster', () => {
  it('is no option, whatever it begins with', async () => {
    await writeFile(join(directory, 'kafka-cluster-id'), '-46pG3bZKlBPsq4JIft3xA\n');
    const ran: (readonly string[])[] = [];
    const kafka = await startKafka({ dataDir: directory, host: notingHost(ran) });
    await kafka.stop();
    expect(ran).toHaveLength(1);
    expect(ran[0]).toContain('--cluster-id=-46pG3bZKlBPsq4JIft3xA');
  });
});
