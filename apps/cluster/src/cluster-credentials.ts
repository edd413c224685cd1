import type { Config } from '@watchword/config';
import { CREDENTIALS_FILE_NAME, credentialsOf, writePrivateJson } from '@watchword/host';
import type { DemoWorkspace, DevCredentials } from '@watchword/host';
import { kafkaAdmin } from './own-kafka.js';
import type { Replica } from './replica.js';
import type { Servers } from './servers.js';

/** The credentials of one process, and the addresses of the processes and servers. */
export interface ClusterCredentials extends DevCredentials {
  services: {
    name: string;
    replica: number;
    /** Null while it is being restarted. */
    pid: number | null;
    /** Address of the public API without the balancer. Gateways only. */
    base_url?: string;
    health_url: string;
    metrics_url: string;
  }[];
  kafka_brokers: readonly string[];
  /** Administrator of the cluster's own Kafka, by SASL PLAIN. */
  kafka_username?: string;
  kafka_password?: string;
  redis_url: string;
  database_url: string;
}

export interface ClusterFacts {
  demo: DemoWorkspace;
  config: Config;
  baseUrl: string;
  simulatorUrl: string;
  servers: Servers;
  kafkaPasswords: Readonly<Record<string, string>>;
  replicas: readonly Pick<Replica, 'plan' | 'pid' | 'healthUrl' | 'metricsUrl'>[];
}

function clusterCredentials(facts: ClusterFacts): ClusterCredentials {
  const { demo, config, baseUrl, simulatorUrl, servers, replicas } = facts;
  const { operatorToken } = config;
  return {
    ...credentialsOf(demo, { baseUrl, simulatorUrl, operatorToken }),
    services: replicas.map(({ plan, pid, healthUrl, metricsUrl }) => ({
      name: plan.service,
      replica: plan.replica,
      pid: pid ?? null,
      ...(plan.service === 'gateway' ? { base_url: `http://127.0.0.1:${plan.port}` } : {}),
      health_url: healthUrl,
      metrics_url: metricsUrl,
    })),
    kafka_brokers: servers.kafkaBrokers,
    ...(servers.kafkaHasUsers && {
      kafka_username: kafkaAdmin,
      kafka_password: facts.kafkaPasswords[kafkaAdmin],
    }),
    redis_url: servers.redisUrl,
    database_url: servers.databaseUrl,
  };
}

/** `dev-credentials.json`, kept current while replicas die and come back. */
export class CredentialsFile {
  private written: Promise<void> = Promise.resolve();

  constructor(private readonly directory: string) {}

  /** Writes the current state, one write at a time: two would use the same unfinished file. */
  write(facts: ClusterFacts): Promise<void> {
    const credentials = clusterCredentials(facts);
    const writing = this.written.then(() =>
      writePrivateJson(this.directory, CREDENTIALS_FILE_NAME, credentials),
    );
    this.written = writing.catch(() => undefined);
    return writing;
  }
}
