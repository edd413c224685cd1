import { Addresses, OneOf, Text } from '../kinds.js';
import { Setting } from '../setting.js';

/** Settings of Kafka, the bus between services in different processes. */
export class KafkaSettings {
  @Setting(
    'KAFKA_BROKERS',
    'Some of the brokers of the Kafka that is the bus between the services.',
    { fallbackText: 'none: the bus is in PostgreSQL' },
  )
  @Addresses()
  readonly kafkaBrokers: readonly string[] = [];

  @Setting(
    'KAFKA_TLS',
    'Whether connections to Kafka are encrypted; certificates are checked (own authority: guide “Operate”).',
  )
  @OneOf(['on', 'off'])
  readonly kafkaTls: 'on' | 'off' = 'off';

  @Setting('KAFKA_SASL_MECHANISM', 'How this process shows Kafka who it is.')
  @OneOf(['none', 'plain', 'scram-sha-256', 'scram-sha-512'])
  readonly kafkaSaslMechanism: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512' = 'none';

  @Setting('KAFKA_USERNAME', 'User name for Kafka, with a SASL mechanism.')
  @Text()
  readonly kafkaUsername: string = '';

  @Setting('KAFKA_PASSWORD', 'Password of that user.', { secret: true })
  @Text()
  readonly kafkaPassword: string = '';
}
