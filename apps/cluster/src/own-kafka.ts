import type { Config } from '@watchword/config';
import { UserError } from '@watchword/host';

/** A Kafka of our own speaks without TLS and knows no users: services that want either would never reach it. */
export function refuseSettingsOfAnother(config: Config): void {
  const { kafkaBrokers, kafkaTls, kafkaSaslMechanism, kafkaUsername } = config;
  if (kafkaBrokers.length > 0) return;
  const given = Object.entries({
    KAFKA_TLS: kafkaTls !== 'off',
    KAFKA_SASL_MECHANISM: kafkaSaslMechanism !== 'none',
    KAFKA_USERNAME: kafkaUsername !== '',
  }).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (given.length === 0) return;
  throw new UserError(
    `${given.join(', ')} must come with KAFKA_BROKERS, or not at all: the cluster's own Kafka has neither TLS nor users`,
  );
}
