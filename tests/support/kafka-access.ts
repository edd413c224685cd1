import type { SASLOptions } from 'kafkajs';
import type { ClusterCredentials } from './cluster-processes.ts';

export interface KafkaAccess {
  brokers: string[];
  sasl?: SASLOptions;
}

/** Returns access as the administrator of the cluster's Kafka, if it has users. */
export function kafkaAccess(credentials: Partial<ClusterCredentials>): KafkaAccess | undefined {
  const { kafka_brokers: brokers, kafka_username: username, kafka_password } = credentials;
  if (brokers === undefined) return undefined;
  if (username === undefined) return { brokers };
  return { brokers, sasl: { mechanism: 'plain', username, password: kafka_password ?? '' } };
}
