import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findJava } from './kafka-files.js';
import { startKafka } from './local-kafka.js';
import { startRedis } from './local-redis.js';
import { findProgram, MissingPrerequisite } from './missing-prerequisite.js';

const variables = ['PATH', 'KAFKA_BROKERS', 'REDIS_URL'] as const;
const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));
/** The only directory that programs are found in. */
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-missing-'));
  for (const name of variables) delete process.env[name];
  process.env['PATH'] = directory;
});

afterEach(async () => {
  for (const name of variables) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  await rm(directory, { recursive: true, force: true });
});

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(directory, name), 0o755);
}

async function complaintOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(MissingPrerequisite);
  return (error as Error).message;
}

describe('a missing program is reported in one line, with the command that installs it', () => {
  const start = { dataDir: '/nowhere' };

  it('Java', async () => {
    expect(await complaintOf(startKafka(start))).toMatch(
      /^Kafka needs Java: apt-get install -y openjdk.*, or set KAFKA_BROKERS to .*$/,
    );
  });

  it('a Java that is too old', async () => {
    await program('java', `echo 'openjdk version "11.0.2" 2019-01-15' >&2`);
    expect(await complaintOf(findJava())).toMatch(
      /^Kafka needs Java 17 or newer: apt-get install.*$/,
    );
    await program('java', `echo 'openjdk version "17.0.9" 2023-10-17' >&2`);
    expect(await findJava()).toBe(join(directory, 'java'));
  });

  it('Redis, where it cannot be installed', async () => {
    expect(await complaintOf(startRedis(start))).toBe(
      'redis-server is missing: apt-get install -y redis-server, or set REDIS_URL to a Redis of your own',
    );
  });
});

describe('servers named in the environment', () => {
  it('need nothing on this machine, and are left alone', async () => {
    process.env['KAFKA_BROKERS'] = 'one:9092,two:9092';
    process.env['REDIS_URL'] = 'redis://elsewhere:6379';
    const kafka = await startKafka({ dataDir: '/nowhere' });
    expect(kafka.brokers).toEqual(['one:9092', 'two:9092']);
    await kafka.stop();
    const redis = await startRedis({ dataDir: '/nowhere' });
    expect(redis).toMatchObject({ url: 'redis://elsewhere:6379', node: undefined });
    await redis.stop();
  });
});

describe('programs', () => {
  it('are found where the shell would find them, and only if they can be run', async () => {
    await writeFile(join(directory, 'tool'), '');
    expect(await findProgram('tool')).toBeUndefined();
    await program('tool', 'true');
    expect(await findProgram('tool')).toBe(join(directory, 'tool'));
  });
});
