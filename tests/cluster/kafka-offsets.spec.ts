import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningKafka } from '@watchword/local-servers';
import { Kafka, KafkaJSProtocolError, logLevel } from 'kafkajs';
import type { Admin } from '../../libs/bus/src/kafka/kafka-client.adapter.js';
import { ensureTopics } from '../../libs/bus/src/kafka/kafka-topics.js';
import { KafkaTestSystem, topicOf } from './kafka-system.kit.js';

const daysOfAnyBroker = { 'offsets.retention.minutes': '10080' };
const brokerResource = 4;

let system: KafkaTestSystem;
let admin: Admin;

beforeAll(async () => {
  system = await KafkaTestSystem.start({ settings: daysOfAnyBroker });
  admin = await adminOf(system.kafka);
}, 240_000);

afterAll(async () => {
  await admin?.disconnect();
  await system?.stop();
}, 120_000);

async function adminOf({ brokers }: RunningKafka): Promise<Admin> {
  const connected = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await connected.connect();
  return connected;
}

/** Answers as brokers do to a user without rights on the cluster. */
function ofService(): Admin {
  const refused = Object.assign(new Error('not authorized'), {
    type: 'CLUSTER_AUTHORIZATION_FAILED',
    code: 31,
  });
  return {
    ...admin,
    describeConfigs: async (options) => {
      if (!options.resources.some(({ type }) => type === brokerResource))
        return admin.describeConfigs(options);
      throw new KafkaJSProtocolError(refused);
    },
  };
}

describe('brokers that forget offsets before dead letters are deleted', () => {
  it('are reported', async () => {
    expect(await ensureTopics(admin, [topicOf(1)])).toEqual([
      'broker 1 has offsets.retention.minutes 10080, 64800 is safe: ' +
        'with less, handled dead letters come back',
    ]);
  });

  it('are no hindrance to a user who may not ask', async () => {
    expect(await ensureTopics(ofService(), [topicOf(1)])).toEqual([]);
  });
});
