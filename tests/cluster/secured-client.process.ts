/**
 * Its own process, because Node reads NODE_EXTRA_CA_CERTS only at its start. It connects to Kafka
 * as a service with this environment does, publishes an event, and exits with 0 when it has
 * consumed it, or with 1 when Kafka refuses it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openKafkaBus, type OutgoingMessage, TransientError } from '@watchword/bus';
import { loadConfig } from '@watchword/config';
import { goldenMessages, TOPICS } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { kafkaConnectionOf } from '../../libs/host/dist/adapters/kafka-connection.js';

const AGAIN_AFTER_MS = 200;
/** Milliseconds; less than the spec waits, so that the spec gets the reason. */
const TIMEOUT_MS = 20_000;

const topic = TOPICS.prefixEvents;
const golden = goldenMessages().find((one) => one.topic === topic);
if (golden === undefined) throw new Error('there is no golden message of the topic');

const { config } = loadConfig(process.env);
const bus = await openKafkaBus({
  ...kafkaConnectionOf(config),
  clientId: 'secured',
  logger: createLogger({ service: 'test', level: 'warn' }),
  onTopicsDisagree: (error) => {
    throw error;
  },
});
const isLetIn = await bus.check().then(
  () => true,
  () => false,
);
if (isLetIn) await sendAndReceive(`secured-${process.pid}`);
await bus.close();
process.exit(isLetIn ? 0 : 1);

async function sendAndReceive(id: string): Promise<void> {
  const { type, key, payload } = golden!;
  const received = new Promise<void>((resolve) => {
    void bus.subscribe(topic, { group: id }, async (batch) => {
      if (batch.some((one) => one.id === id)) resolve();
    });
  });
  const time = new Date().toISOString();
  const message = { id, type, key, time, payload: JSON.stringify(payload) };
  await published(message);
  await received;
  console.log(`consumed ${id}`);
}

/** Retries a publication that Kafka refuses, for example because the topic is new. */
async function published(message: OutgoingMessage): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const error = await bus.publish(topic, [message]).catch((failure: unknown) => failure);
    if (!error) return;
    if (!(error instanceof TransientError) || Date.now() > deadline) throw error;
    await sleep(AGAIN_AFTER_MS);
  }
}
