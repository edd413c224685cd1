import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_TOPICS } from '@watchword/contracts';
import { eventually } from '@watchword/testing';
import {
  KafkaClient,
  type KafkaConnectionOptions,
} from '../../libs/bus/src/kafka/kafka-client.adapter.js';
import { ensureTopics } from '../../libs/bus/src/kafka/kafka-topics.js';
import { prepareKafka } from '../../libs/bus/src/kafka/prepare-kafka.js';
import { KafkaTestSystem, silent } from './kafka-system.kit.js';

const plain = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
const users = 'username="admin" password="own" user_admin="own" user_dispatch="own"';
/** Of a broker with users and rights that keeps offsets as long as any broker. */
const settings = {
  'offsets.retention.minutes': '10080',
  'listener.security.protocol.map': 'PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
  'sasl.enabled.mechanisms': 'PLAIN',
  'sasl.mechanism.inter.broker.protocol': 'PLAIN',
  'listener.name.plaintext.plain.sasl.jaas.config': `${plain} ${users};`,
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': 'User:admin;User:ANONYMOUS',
};

let system: KafkaTestSystem;

beforeAll(async () => {
  system = await KafkaTestSystem.start({ settings });
}, 240_000);

afterAll(() => system?.stop());

function connectionOf(username: string): KafkaConnectionOptions {
  const sasl = { mechanism: 'plain', username, password: 'own' } as const;
  return { brokers: system.kafka.brokers, clientId: 'test', logger: silent, sasl };
}

describe('brokers that forget offsets before dead letters are deleted', () => {
  it('are reported to the administrator, and keep no service from starting', async () => {
    const { weaknesses } = await prepareKafka(connectionOf('admin'), (service) => service);
    expect(weaknesses).toEqual([
      'broker 1 has offsets.retention.minutes 10080, 64800 is safe: ' +
        'with less, handled dead letters come back',
    ]);
    const service = new KafkaClient(connectionOf('dispatch')).admin();
    await service.connect();
    // Rights are known a moment after they were granted.
    await eventually(
      async () => expect(await ensureTopics(service, ALL_TOPICS)).toEqual([]),
      20_000,
      200,
    );
    await service.disconnect();
  });
});
