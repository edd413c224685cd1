import { carrierVariables, readCarrierAccounts } from './carrier-settings.js';
import { settings } from './config.schema.js';
import type { Config } from './config.schema.js';
import { nearMiss } from './near-miss.policy.js';
import { Invalid } from './setting.js';
import type { ServiceName, Setting } from './setting.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that is wrong with the settings, not only the first thing; never quotes a value. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings are not usable:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

export interface LoadedConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

/** Validates the environment against the schema. An empty variable counts as unset. */
export function loadConfig(environment: Environment): LoadedConfig {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(settings)) {
    values[key] = readSetting(setting, environment, problems);
  }
  const { services, carrierAccounts: further, encryptionKey } = values as unknown as RawValues;
  const { accounts, problems: ofAccounts } = readCarrierAccounts(environment, further, services);
  const read = { ...values, carrierAccounts: accounts } as unknown as Config;
  const isAlone = read.encryptionKeys.length === 0 && encryptionKey !== '';
  const config: Config = isAlone ? { ...read, encryptionKeys: [encryptionKey] } : read;
  problems.push(...contradictions(config, environment), ...ofAccounts);
  if (problems.length > 0) throw new ConfigError(problems);
  return { config, warnings: unknownVariables(environment, config) };
}

interface RawValues {
  readonly services: readonly ServiceName[];
  readonly carrierAccounts: string;
  readonly encryptionKey: string;
}

function readSetting(
  setting: Setting<unknown>,
  environment: Environment,
  problems: string[],
): unknown {
  const value = environment[setting.variable]?.trim();
  if (value === undefined || value === '') return setting.fallback;
  try {
    return setting.parse(value);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    problems.push(`${setting.variable} ${error.message}`);
    return setting.fallback;
  }
}

/** Only the embedded installation may invent secrets: machines that invent their own disagree. */
function contradictions(config: Config, environment: Environment): string[] {
  const problems: string[] = [];
  const said = (variable: string) => Boolean(environment[variable]?.trim());
  const isRead = ({ services }: Setting<unknown>) =>
    services.length === 0 || config.services.some((service) => services.includes(service));
  if (config.databaseUrl !== '') {
    // Each role would look for a database of its own name.
    if (new URL(config.databaseUrl).pathname.length <= 1) {
      problems.push('DATABASE_URL must name a database: postgres://user:password@host:port/name');
    }
    const secrets = [settings.pepper, settings.callbackSecret].filter(isRead);
    const { encryptionKey, encryptionKeys } = settings;
    if (needsEncryptionKey(config) && !said(encryptionKeys.variable))
      secrets.unshift(encryptionKey);
    for (const { variable } of secrets) {
      if (!said(variable)) problems.push(`${variable} must be set when DATABASE_URL is`);
    }
    if (hasOwnRole(config) && config.kafkaBrokers.length === 0) {
      problems.push('KAFKA_BROKERS must be set where DATABASE_URL has the role of a service');
    }
  }
  if (said(settings.encryptionKey.variable) && said(settings.encryptionKeys.variable)) {
    problems.push('ENCRYPTION_KEY and ENCRYPTION_KEYS must not be set together');
  }
  problems.push(...unreachable(config), ...halfAuthenticated(config));
  const pairs = [[settings.kafkaUsername, settings.kafkaPassword]] as const;
  for (const [first, second] of pairs) {
    if (!isRead(first) || !isRead(second)) continue;
    if (said(first.variable) !== said(second.variable)) {
      problems.push(`${first.variable} and ${second.variable} must be set together`);
    }
  }
  return problems;
}

/** A process that has no more of the database than the schema of its one service. */
export function hasOwnRole({ databaseUrl, services }: Config): boolean {
  if (databaseUrl === '' || services.length !== 1) return false;
  return new URL(databaseUrl).username === `watchword_${services[0]}`;
}

/** Passwords of roles follow from it where nothing else says them. */
function needsEncryptionKey(config: Config): boolean {
  const { services } = config;
  const passwords = [
    config.gatewayDatabasePassword,
    config.billingDatabasePassword,
    config.dispatchDatabasePassword,
    config.webhooksDatabasePassword,
  ];
  const rolesNeedIt = passwords.includes('') || config.kafkaBrokers.length === 0;
  return (
    (!hasOwnRole(config) && rolesNeedIt) ||
    services.includes('dispatch') ||
    services.includes('webhooks')
  );
}

/** Kafka would be asked without a name, or with one that it never hears of. */
function halfAuthenticated(config: Config): string[] {
  const { kafkaSaslMechanism: mechanism, kafkaUsername: user, kafkaPassword: password } = config;
  const { kafkaSaslMechanism, kafkaUsername, kafkaPassword } = settings;
  if (mechanism !== 'none' && user === '' && password === '') {
    const both = `${kafkaUsername.variable} and ${kafkaPassword.variable}`;
    return [`${both} must be set when ${kafkaSaslMechanism.variable} is`];
  }
  if (mechanism === 'none' && user !== '') {
    return [`${kafkaSaslMechanism.variable} must name one when ${kafkaUsername.variable} is set`];
  }
  return [];
}

/** A gateway calls the three others, here or elsewhere. */
function unreachable(config: Config): string[] {
  const problems: string[] = [];
  const elsewhere = [
    { service: 'billing', setting: settings.billingAddress, addresses: config.billingAddress },
    { service: 'dispatch', setting: settings.dispatchAddress, addresses: config.dispatchAddress },
    { service: 'webhooks', setting: settings.webhooksAddress, addresses: config.webhooksAddress },
  ] as const;
  if (config.services.includes('gateway')) {
    for (const { service, setting, addresses } of elsewhere) {
      if (config.services.includes(service) || addresses.length > 0) continue;
      problems.push(
        `${setting.variable} must be set where SERVICES has gateway without ${service}`,
      );
    }
  }
  const secrets = {
    billing: config.billingRpcSecret,
    dispatch: config.dispatchRpcSecret,
    webhooks: config.webhooksRpcSecret,
  };
  const needsSecret = elsewhere.some(({ service, addresses }) => {
    const isCalledHere = config.rpcPort > 0 && config.services.includes(service);
    return (isCalledHere || addresses.length > 0) && secrets[service] === '';
  });
  if (needsSecret && config.rpcSecret === '') {
    problems.push('RPC_SECRET must be set when RPC_PORT or the address of a service is');
  }
  const files = [config.rpcTlsCert, config.rpcTlsKey, config.rpcTlsCa];
  if (files.includes('') && files.some((file) => file !== '')) {
    problems.push('RPC_TLS_CERT, RPC_TLS_KEY and RPC_TLS_CA must be set together');
  }
  return problems;
}

/** The environment of a service apart: without the settings that only others read. */
export function environmentOf(service: ServiceName, environment: Environment): Environment {
  const all = Object.values<Setting<unknown>>(settings);
  const foreign = all.filter(({ services }) => services.length > 0 && !services.includes(service));
  const names = new Set(foreign.map(({ variable }) => variable));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.has(name)));
}

/** Variables that are probably meant as settings and have no effect. */
function unknownVariables(environment: Environment, { carrierAccounts }: Config): string[] {
  const ofAccounts = Object.keys(carrierVariables(carrierAccounts));
  const own = Object.values<Setting<unknown>>(settings).map(({ variable }) => variable);
  const known = new Set([...own, ...ofAccounts]);
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name)) return [];
    const plain = name.replace(/^WATCHWORD_/, '');
    const meant = known.has(plain) ? plain : nearMiss(plain, known);
    if (meant === undefined && plain === name) return [];
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    return [`${name} is not a setting and has no effect${hint}`];
  });
}
