import { createHmac } from 'node:crypto';
import {
  allowsLoopbackWebhooks,
  carrierVariables,
  type Config,
  type ServiceName,
  signUpRules,
} from '@watchword/config';
import type { Servers } from './servers.js';

/** One process of a service: where it is, and what it is told. */
export interface ReplicaPlan {
  service: ServiceName;
  /** 1, 2, ... */
  replica: number;
  /** Of the public API; gateways only. */
  port: number;
  rpcPort: number;
  metricsPort: number;
  environment: Record<string, string>;
}

export interface PlanOptions {
  config: Config;
  servers: Servers;
  /** Where carriers and customers reach the gateways. */
  baseUrl: string;
  replicas: number;
  ports: readonly number[];
}

const services: readonly ServiceName[] = ['billing', 'dispatch', 'webhooks', 'gateway'];
export const portsPerReplica = 3;

export function portsNeeded(replicas: number): number {
  return services.length * replicas * portsPerReplica;
}

/** Everything that the processes must agree on, in one place. */
export function planReplicas({ config, servers, baseUrl, replicas, ports }: PlanOptions) {
  const host = '127.0.0.1';
  const left = [...ports];
  const plans = services.flatMap((service) =>
    Array.from({ length: replicas }, (_, index): ReplicaPlan => {
      const [port, rpcPort, metricsPort] = left.splice(0, portsPerReplica) as [
        number,
        number,
        number,
      ];
      return { service, replica: index + 1, port, rpcPort, metricsPort, environment: {} };
    }),
  );
  const addressesOf = (service: ServiceName) =>
    plans
      .filter((plan) => plan.service === service)
      .map(({ rpcPort }) => `${host}:${rpcPort}`)
      .join(',');
  const shared = {
    ...sharedSettings(config, servers, baseUrl),
    BILLING_ADDRESS: addressesOf('billing'),
    DISPATCH_ADDRESS: addressesOf('dispatch'),
    WEBHOOKS_ADDRESS: addressesOf('webhooks'),
  };
  for (const plan of plans) {
    plan.environment = {
      ...shared,
      HOST: host,
      INTERNAL_HOST: host,
      PORT: String(plan.port),
      // Nobody calls a gateway.
      RPC_PORT: String(plan.service === 'gateway' ? 0 : plan.rpcPort),
      METRICS_PORT: String(plan.metricsPort),
    };
  }
  return plans;
}

/** What the environment says already, the processes inherit; this is what we found or drew. */
function sharedSettings(config: Config, servers: Servers, baseUrl: string) {
  // The gateways listen on loopback behind the balancer, whose HOST decides.
  const signUp = signUpRules(config);
  return {
    DATABASE_URL: servers.databaseUrl,
    KAFKA_BROKERS: servers.kafkaBrokers.join(','),
    REDIS_URL: servers.redisUrl,
    RPC_SECRET: config.rpcSecret || rpcSecretOf(config),
    PEPPER: config.pepper,
    ENCRYPTION_KEY: config.encryptionKey,
    OPERATOR_TOKEN: config.operatorToken,
    CALLBACK_SECRET: config.callbackSecret,
    CALLBACK_BASE_URL: config.callbackBaseUrl || baseUrl,
    ALLOW_LOOPBACK_WEBHOOKS: String(allowsLoopbackWebhooks(config)),
    SIGNUP: signUp.mode,
    TRIAL_CREDITS: signUp.trialCredits,
    ...carrierVariables(config.carrierAccounts),
  };
}

/** Follows from a secret that is kept already, so that a restart finds the same. */
export function rpcSecretOf({ encryptionKey }: Config): string {
  return createHmac('sha256', encryptionKey).update('internal calls').digest('hex');
}
