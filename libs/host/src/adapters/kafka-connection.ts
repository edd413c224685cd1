import type { KafkaBusOptions } from '@watchword/bus';
import type { Config } from '@watchword/config';

/** How the settings reach Kafka. */
export function kafkaConnectionOf(
  config: Config,
): Pick<KafkaBusOptions, 'brokers' | 'ssl' | 'sasl'> {
  const { kafkaBrokers: brokers, kafkaTls, kafkaSaslMechanism: mechanism } = config;
  const ssl = kafkaTls === 'on';
  if (mechanism === 'none') return { brokers, ssl };
  const { kafkaUsername: username, kafkaPassword: password } = config;
  return { brokers, ssl, sasl: { mechanism, username, password } as KafkaBusOptions['sasl'] };
}
