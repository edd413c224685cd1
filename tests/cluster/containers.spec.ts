/** Servers from a container engine: issue 4 section 1 item 8. Skipped where no engine answers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startKafka, startRedis } from '@watchword/local-servers';
import { createClient } from 'redis';
import { Kafka } from 'kafkajs';
import { ContainerEngine } from '../../apps/cluster/src/containers/container-engine.js';

const said: string[] = [];
const engine = await ContainerEngine.find((sentence) => said.push(sentence));
const [kafkaHost, redisHost] = [await engine?.kafka(), await engine?.redis()];
const has = kafkaHost && redisHost ? describe : describe.skip;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'watchword-containers-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

has(`containers${said.length > 0 ? ` (${said.join('; ')})` : ''}`, () => {
  it('run a Redis at an address of this machine, and are gone when it is stopped', async () => {
    const redis = await startRedis({ dataDir, host: redisHost });
    expect(await answerOf(redis.url)).toBe('PONG');
    await redis.stop();
    await expect(answerOf(redis.url)).rejects.toThrow();
  });

  it('run a Kafka that keeps its topics from one start to the next', async () => {
    const first = await startKafka({ dataDir, host: kafkaHost });
    await asAdmin(first.brokers, (admin) => admin.createTopics({ topics: [{ topic: 'kept.v1' }] }));
    await first.stop();
    const second = await startKafka({ dataDir, host: kafkaHost });
    expect(await asAdmin(second.brokers, (admin) => admin.listTopics())).toContain('kept.v1');
    await second.stop();
  });
});

async function answerOf(url: string): Promise<string> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  return client.ping().finally(() => client.destroy());
}

async function asAdmin<Answer>(
  brokers: readonly string[],
  ask: (admin: ReturnType<Kafka['admin']>) => Promise<Answer>,
): Promise<Answer> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: 0 }).admin();
  await admin.connect();
  try {
    return await ask(admin);
  } finally {
    await admin.disconnect();
  }
}
