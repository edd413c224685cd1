import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import type { KafkaClient } from './kafka-client.adapter.js';
import { KafkaPublisher } from './kafka-publisher.js';

const topic = { name: 't', partitions: 1, recordBytesMax: 1_000 };
const record = { key: 'k', value: '{}', headers: {} };
const logger = createLogger({ service: 'test', level: 'silent' });

let isAway: boolean;
let publisher: KafkaPublisher;

beforeEach(() => {
  isAway = false;
  const producer = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    sendBatch: async () => {
      if (isAway) throw new Error('away');
      return [{ topicName: topic.name, partition: 0 }];
    },
  };
  const client = { producer: () => producer } as unknown as KafkaClient;
  publisher = new KafkaPublisher(client, logger);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await publisher.close();
});

const publish = () => publisher.publish(topic, [record]);

describe('publishing', () => {
  it('is refused from a failure on until Kafka has taken something', async () => {
    await publish();
    expect(publisher.isRefused).toBe(false);
    isAway = true;
    await expect(publish()).rejects.toThrow('has not taken');
    expect(publisher.isRefused).toBe(true);
    isAway = false;
    await publish();
    expect(publisher.isRefused).toBe(false);
  });

  it('is not refused for ever where there is no second try', async () => {
    isAway = true;
    await expect(publish()).rejects.toThrow('has not taken');
    const refusedAt = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(refusedAt + 34_000);
    expect(publisher.isRefused).toBe(true);
    clock.mockReturnValue(refusedAt + 35_001);
    expect(publisher.isRefused).toBe(false);
  });
});
