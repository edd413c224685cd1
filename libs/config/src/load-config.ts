import { readCarrierAccounts } from './carrier-settings.js';
import { settings } from './config.schema.js';
import type { Config } from './config.schema.js';
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
    values[key] = read(setting, environment, problems);
  }
  const { services, carrierAccounts: further } = values as unknown as RawValues;
  const { accounts, problems: ofAccounts } = readCarrierAccounts(environment, further, services);
  const config = { ...values, carrierAccounts: accounts } as unknown as Config;
  problems.push(...contradictions(config, environment), ...ofAccounts);
  if (problems.length > 0) throw new ConfigError(problems);
  return { config, warnings: unknownVariables(environment) };
}

interface RawValues {
  readonly services: readonly ServiceName[];
  readonly carrierAccounts: string;
}

function read(setting: Setting<unknown>, environment: Environment, problems: string[]): unknown {
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
    services.length === 0 || services.some((service) => config.services.includes(service));
  if (config.databaseUrl !== '') {
    // Each role would look for a database of its own name.
    if (new URL(config.databaseUrl).pathname.length <= 1) {
      problems.push('DATABASE_URL must name a database: postgres://user:password@host:port/name');
    }
    const secrets = [settings.pepper, settings.encryptionKey, settings.callbackSecret];
    for (const { variable } of secrets.filter(isRead)) {
      if (!said(variable)) problems.push(`${variable} must be set when DATABASE_URL is`);
    }
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
  const called = config.rpcPort > 0;
  const calling = elsewhere.some(({ addresses }) => addresses.length > 0);
  if ((called || calling) && config.rpcSecret === '') {
    problems.push('RPC_SECRET must be set when RPC_PORT or the address of a service is');
  }
  return problems;
}

function unknownVariables(environment: Environment): string[] {
  const known = new Set(Object.values(settings).map((setting) => setting.variable));
  return Object.keys(environment)
    .filter((name) => name.startsWith('WATCHWORD_'))
    .map((name) => {
      const plain = name.slice('WATCHWORD_'.length);
      const hint = known.has(plain) ? `; the setting is called ${plain}` : '';
      return `${name} is not a setting and has no effect${hint}`;
    });
}
