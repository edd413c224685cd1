import { expect, it } from '@jest/globals';
import { loadConfig } from '@watchword/config';
import { refuseSettingsOfAnother } from './own-kafka.js';

const user = {
  KAFKA_SASL_MECHANISM: 'plain',
  KAFKA_USERNAME: 'watchword',
  KAFKA_PASSWORD: 'something',
};
const decide = (environment: Record<string, string>) => () =>
  refuseSettingsOfAnother(loadConfig(environment).config);

it('settings for a Kafka of others are refused where none is named', () => {
  expect(decide({ KAFKA_TLS: 'on' })).toThrow(/^KAFKA_TLS must come with KAFKA_BROKERS, or not/);
  expect(decide(user)).toThrow(/^KAFKA_SASL_MECHANISM, KAFKA_USERNAME must come with/);
});

it('and taken where one is named, or where they say what holds anyway', () => {
  const KAFKA_BROKERS = 'one:9092';
  expect(decide({ ...user, KAFKA_BROKERS, KAFKA_TLS: 'on' })).not.toThrow();
  expect(decide({ KAFKA_TLS: 'off', KAFKA_SASL_MECHANISM: 'none' })).not.toThrow();
  expect(decide({})).not.toThrow();
});
