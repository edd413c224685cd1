import type { SASLOptions } from 'kafkajs';
import type { ClusterCredentials } from './cluster-processes.ts';

export interface KafkaAccess {
  brokers: string[];
  sasl?: SASLOptions;
}

/** As the administrator of the cluster's Kafka, where it has users. */
export function kafkaAccess(credentials: Partial<ClusterCredentials>): KafkaAccess | undefined {
  const { kafka_brokers: brokers, kafka_username: username, kafka_password } = credentials;
  if (brokers === undefined) return undefined;
  if (username === undefined) return { brokers };
  return { brokers, sasl: { mechanism: 'plain', username, password: kafka_password ?? '' } };
}
