import type { KafkaBusOptions } from '@watchword/bus';
import type { Config } from '@watchword/config';

/** Returns the Kafka connection that the settings describe. */
export function kafkaConnectionOf(
  config: Config,
): Pick<KafkaBusOptions, 'brokers' | 'ssl' | 'sasl'> {
  const { kafkaBrokers: brokers, kafkaTls, kafkaSaslMechanism: mechanism } = config;
  const ssl = kafkaTls === 'on';
  if (mechanism === 'none') return { brokers, ssl };
  const { kafkaUsername: username, kafkaPassword: password } = config;
  return { brokers, ssl, sasl: { mechanism, username, password } as KafkaBusOptions['sasl'] };
}
