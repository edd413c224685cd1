import {
  allowsLoopbackWebhooks,
  carrierRows,
  type Config,
  environmentOf,
  type ServiceName,
  signUpRules,
} from '@watchword/config';
import { roleOf, urlFor } from '@watchword/host';
import type { Servers } from './servers.js';

/** One process of a service: its ports and its environment. */
export interface ReplicaPlan {
  service: ServiceName;
  /** 1, 2, ... */
  replica: number;
  /** Port of the public API. Gateways only. */
  port: number;
  rpcPort: number;
  metricsPort: number;
  environment: Record<string, string>;
}

export interface PlanOptions {
  config: Config;
  servers: Servers;
  /** Address at which carriers and customers reach the gateways. */
  baseUrl: string;
  replicas: number;
  ports: readonly number[];
  /** Ports of the gateways' bounce listeners. */
  inboundSmtpPorts?: readonly number[];
  access: ServiceAccess;
  /** File with the rows of `carrierRows`. */
  carriersFile: string;
}

/** Secrets that give each service access to its own parts only. */
export type ServiceAccess = Record<
  ServiceName,
  { databasePassword: string; kafkaPassword: string; rpcSecret: string }
>;

export const SERVICES: readonly ServiceName[] = ['billing', 'dispatch', 'webhooks', 'gateway'];
const PORTS_PER_REPLICA = 3;

export function accessOf(derive: (purpose: string) => string): ServiceAccess {
  const access = (service: ServiceName) => ({
    databasePassword: derive(`postgres ${service}`),
    kafkaPassword: derive(`kafka ${service}`),
    rpcSecret: derive(`calls of ${service}`),
  });
  return {
    gateway: access('gateway'),
    billing: access('billing'),
    dispatch: access('dispatch'),
    webhooks: access('webhooks'),
  };
}

export function portsNeeded(replicas: number): number {
  return SERVICES.length * replicas * PORTS_PER_REPLICA;
}

export function planReplicas({ replicas, ports, ...options }: PlanOptions): ReplicaPlan[] {
  const left = [...ports];
  const plans = SERVICES.flatMap((service) =>
    Array.from({ length: replicas }, (_, index): ReplicaPlan => {
      const [port, rpcPort, metricsPort] = left.splice(0, PORTS_PER_REPLICA) as [
        number,
        number,
        number,
      ];
      return { service, replica: index + 1, port, rpcPort, metricsPort, environment: {} };
    }),
  );
  for (const plan of plans) plan.environment = environmentFor(plan, plans, options);
  return plans;
}

/** Returns a process's environment: the common settings that its service reads. */
function environmentFor(
  { service, replica, port, rpcPort, metricsPort }: ReplicaPlan,
  plans: readonly ReplicaPlan[],
  {
    config,
    servers,
    baseUrl,
    access,
    carriersFile,
    inboundSmtpPorts = [],
  }: Omit<PlanOptions, 'replicas' | 'ports'>,
): Record<string, string> {
  const host = '127.0.0.1';
  const addressesOf = (callee: ServiceName) =>
    plans
      .filter((plan) => plan.service === callee)
      .map((plan) => `${host}:${plan.rpcPort}`)
      .join(',');
  const own = access[service];
  const all = {
    ...without(config.carrierVariables, process.env),
    ...settingsOf(config, baseUrl),
    ...carrierRows(config.carrierAccounts).variablesOf(service),
    CARRIERS_FILE: carriersFile,
    HOST: host,
    INTERNAL_HOST: host,
    PORT: String(port),
    // No process calls a gateway.
    RPC_PORT: String(service === 'gateway' ? 0 : rpcPort),
    METRICS_PORT: String(metricsPort),
    INBOUND_SMTP_HOST: host,
    INBOUND_SMTP_PORT: String(service === 'gateway' ? (inboundSmtpPorts[replica - 1] ?? 0) : 0),
    BILLING_ADDRESS: addressesOf('billing'),
    DISPATCH_ADDRESS: addressesOf('dispatch'),
    WEBHOOKS_ADDRESS: addressesOf('webhooks'),
    BILLING_RPC_SECRET: access.billing.rpcSecret,
    DISPATCH_RPC_SECRET: access.dispatch.rpcSecret,
    WEBHOOKS_RPC_SECRET: access.webhooks.rpcSecret,
    DATABASE_URL: urlFor(servers.databaseUrl, roleOf(service), own.databasePassword),
    REDIS_URL: servers.redisUrl,
    KAFKA_BROKERS: servers.kafkaBrokers.join(','),
    ...(servers.kafkaHasUsers && {
      KAFKA_SASL_MECHANISM: 'plain',
      KAFKA_USERNAME: roleOf(service),
      KAFKA_PASSWORD: own.kafkaPassword,
    }),
  };
  return environmentOf(service, all) as Record<string, string>;
}

const without = (names: readonly string[], environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));

/** Settings that the environment does not have are chosen or generated here. */
function settingsOf(config: Config, baseUrl: string) {
  // The gateways listen on loopback behind the balancer, so the balancer's HOST decides.
  const signUp = signUpRules(config);
  return {
    PEPPER: config.pepper,
    ENCRYPTION_KEYS: config.encryptionKeys.join(','),
    OPERATOR_TOKEN: config.operatorToken,
    CALLBACK_SECRET: config.callbackSecrets.join(','),
    CALLBACK_BASE_URL: config.callbackBaseUrl || baseUrl,
    ALLOW_LOOPBACK_WEBHOOKS: String(allowsLoopbackWebhooks(config)),
    DNS_SERVERS: config.dnsServers.join(','),
    BOUNCE_DOMAIN: config.bounceDomain,
    PLATFORM_EMAIL_FROM: config.platformEmailFrom,
    PUBLIC_BASE_URL: config.publicBaseUrl,
    SIGNUP: signUp.mode,
    TRIAL_CREDITS: signUp.trialCredits,
    PROXY_PROTOCOL: 'accept',
  };
}
