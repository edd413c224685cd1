import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_TOPICS, deadLetterTopicName } from '@watchword/contracts';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { waitUntil } from '../support/wait-until.ts';
import type { Fault } from './fault-run.ts';
import { countNotBegun } from './message-waits.ts';
import { serversOf } from './server.faults.ts';

const PAUSE_MS = 3_000;
/** A broker that comes back copies what it has missed, on a machine that is busy. */
const IN_SYNC_PATIENCE_MS = 60_000;

/** Resource type in requests for settings. */
const TOPIC_RESOURCE = 2;
const TOPICS = ALL_TOPICS.flatMap((topic) => [topic.name, deadLetterTopicName(topic)]);

/**
 * Kills each of three brokers in turn for this many seconds, first the one that leads the others.
 * There are three copies of everything, of which two must be written. Everything continues
 * meanwhile.
 */
export function killBrokers(seconds: number): Fault {
  return async (run) => {
    const servers = serversOf(run);
    const { brokers, kafkaAddresses, controller } = servers;
    await withAdmin(kafkaAddresses, expectThreeCopies);
    const others = brokers.map((_, index) => index + 1).filter((id) => id !== controller);
    for (const id of [controller, ...others]) {
      const broker = brokers[id - 1]!;
      await sleep(PAUSE_MS);
      const leads = servers.controller === id ? ', which leads the others' : '';
      const led = await withAdmin(kafkaAddresses, (admin) => partitionsLedBy(admin, id));
      const what = `broker ${id}${leads}, with ${led} partitions`;
      const back = run.away(what, { sendsGoOn: true });
      const from = Date.now();
      await broker.kill();
      await sleep(seconds * 1_000);
      const until = Date.now();
      const left = await run.withDatabase((database) =>
        countNotBegun(database, from, (from + until) / 2),
      );
      run.expect(left === 0, `${what}: ${left} sends of the first half waited for its return`);
      await broker.start();
      back();
      await withAdmin(kafkaAddresses, untilInSync);
      run.watch({ what, from, until });
    }
    await sleep(PAUSE_MS);
  };
}

async function withAdmin<Result>(
  brokers: readonly string[],
  work: (admin: Admin) => Promise<Result>,
): Promise<Result> {
  const kafka = new Kafka({
    clientId: 'tester',
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
  });
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

async function partitionsOf(admin: Admin) {
  const { topics } = await admin.fetchTopicMetadata({ topics: TOPICS });
  return topics.flatMap(({ name, partitions }) => partitions.map((one) => ({ name, ...one })));
}

async function partitionsLedBy(admin: Admin, id: number): Promise<number> {
  return (await partitionsOf(admin)).filter(({ leader }) => leader === id).length;
}

/** Without three copies the fault would prove nothing. */
async function expectThreeCopies(admin: Admin): Promise<void> {
  for (const { name, replicas } of await partitionsOf(admin)) {
    if (replicas.length !== 3) throw new Error(`${name} has ${replicas.length} replicas, not 3`);
  }
  const configNames = ['min.insync.replicas'];
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: TOPICS.map((name) => ({ type: TOPIC_RESOURCE, name, configNames })),
  });
  for (const { resourceName, configEntries } of resources) {
    const [{ configValue } = { configValue: 'none' }] = configEntries;
    if (configValue !== '2') throw new Error(`${resourceName}: min.insync.replicas ${configValue}`);
  }
}

/** Waits, because with two away there would be no majority. */
async function untilInSync(admin: Admin): Promise<void> {
  const isInSync = async () => (await partitionsOf(admin)).every(({ isr }) => isr.length === 3);
  await waitUntil('all copies to be in sync', () => isInSync().catch(() => false), {
    timeoutMs: IN_SYNC_PATIENCE_MS,
    everyMs: 500,
  });
}
