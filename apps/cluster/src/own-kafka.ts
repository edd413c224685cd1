import type { Config } from '@watchword/config';
import { roleOf, UserError } from '@watchword/host';

/** Administrator of the cluster's own Kafka, and the user by which its brokers know each other. */
export const kafkaAdmin = roleOf('admin');

/** Refuses TLS and SASL settings without KAFKA_BROKERS: the cluster's own Kafka has neither. */
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
    `${given.join(', ')} must come with KAFKA_BROKERS, or not at all: the cluster's own Kafka has neither TLS nor these users`,
  );
}

/** Lines of `server.properties`: every connection names a user, and users have granted rights. */
export function settingsWithUsers(passwords: Readonly<Record<string, string>>) {
  const users = Object.entries(passwords).map(([name, password]) => `user_${name}="${password}"`);
  const own = `username="${kafkaAdmin}" password="${passwords[kafkaAdmin]}"`;
  const module = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
  const jaas = `${module} ${own} ${users.join(' ')};`;
  return {
    'listener.security.protocol.map': 'PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT',
    'sasl.enabled.mechanisms': 'PLAIN',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'sasl.mechanism.controller.protocol': 'PLAIN',
    'listener.name.plaintext.plain.sasl.jaas.config': jaas,
    'listener.name.controller.plain.sasl.jaas.config': jaas,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': `User:${kafkaAdmin}`,
  };
}
