import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

/** A host that starts nothing and records what it was asked to run. */
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
  it('is no option, even when it begins with a dash', async () => {
    await writeFile(join(directory, 'kafka-cluster-id'), '-46pG3bZKlBPsq4JIft3xA\n');
    const ran: (readonly string[])[] = [];
    const kafka = await startKafka({ dataDir: directory, host: notingHost(ran) });
    await kafka.stop();
    expect(ran).toHaveLength(1);
    expect(ran[0]).toContain('--cluster-id=-46pG3bZKlBPsq4JIft3xA');
  });
});

describe('the properties of a node', () => {
  it('have no path of this machine, and escape what Java would read otherwise', async () => {
    const dataDir = join(directory, 'Jürgen, \\x');
    const settings = { 'ssl.keystore.location': '/ü\\€' };
    const kafka = await startKafka({ dataDir, host: notingHost([]), settings });
    await kafka.stop();
    const properties = await readFile(join(dataDir, 'kafka-1', 'server.properties'), 'utf8');
    const lines = properties.split('\n');
    expect(lines).toContain('log.dirs=logs');
    expect(lines).toContain('offsets.retention.minutes=64800');
    expect(lines).toContain('ssl.keystore.location=/\\u00fc\\u005c\\u20ac');
  });
});

describe('a disk that cannot be made ready', () => {
  it('is reported in one sentence, without passwords and stacks', async () => {
    const failed = Object.assign(new Error('Command failed: java password=secret\nlong story'), {
      stderr: 'a: 1\nb: 2\nException in thread "main" Oh: no such place\n\tat a.b.c\n',
    });
    const host = { ...notingHost([]), run: () => Promise.reject(failed) };
    const refusal = await startKafka({ dataDir: directory, host }).catch(String);
    expect(refusal).toBe(
      `ServerDoesNotStart: Kafka broker 1 cannot work in ${directory}/kafka-1: Oh: no such place`,
    );
  });
});
