import { readCarrierAccounts } from './carriers-file.js';
import { concerns, type Config, settings } from './config.js';
import { contradictions } from './contradictions.policy.js';
import { nearMiss } from './near-miss.policy.js';
import { type Environment, readSettings } from './read-settings.js';
import type { ServiceName } from './setting.js';
import type { CarrierSettings } from './settings/carrier.settings.js';
import type { DatabaseSettings } from './settings/database.settings.js';

/** Lists every problem of the settings, not only the first. It never quotes a value. */
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

/**
 * Reads every class of settings from the environment. A tool that works on an installation and
 * starts no service passes `needsSecrets: false`.
 */
export function loadConfig(environment: Environment, { needsSecrets = true } = {}): LoadedConfig {
  const readings = concerns.map((concern) => readSettings(concern, environment));
  const { carriersFile, databasePassword, ...read } = Object.assign(
    {},
    ...readings.map((reading) => reading.settings),
  ) as Config & CarrierSettings & DatabaseSettings;
  const carriers = readCarrierAccounts({
    file: carriersFile,
    environment,
    services: read.services,
    isEmbedded: read.databaseUrl === '',
    needsSecrets,
  });
  const config: Config = {
    ...read,
    databaseUrl: withPassword(read.databaseUrl, databasePassword),
    carrierAccounts: carriers.accounts,
    carrierVariables: carriers.variables,
  };
  const problems = [
    ...readings.flatMap((reading) => reading.problems),
    ...contradictions(config, environment, needsSecrets),
    ...carriers.problems,
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return { config, warnings: unknownVariables(environment, carriers.variables) };
}

/** Returns the URL with the password, escaped, where it has none. */
function withPassword(databaseUrl: string, password: string): string {
  if (databaseUrl === '' || password === '') return databaseUrl;
  const url = new URL(databaseUrl);
  if (url.password === '') url.password = encodeURIComponent(password);
  return url.href;
}

/** Returns the environment of a single service: without the settings that only others read. */
export function environmentOf(service: ServiceName, environment: Environment): Environment {
  const foreign = settings.filter(({ readBy }) => readBy.length > 0 && !readBy.includes(service));
  const names = new Set(foreign.map(({ variable }) => variable));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.has(name)));
}

/** Returns variables that look like settings and have no effect. */
function unknownVariables(environment: Environment, ofAccounts: readonly string[]): string[] {
  const known = new Set([...settings.map(({ variable }) => variable), ...ofAccounts]);
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name)) return [];
    const plain = name.replace(/^WATCHWORD_/, '');
    const meant = known.has(plain) ? plain : nearMiss(plain, known);
    if (meant === undefined && plain === name) return [];
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    return [`${name} is not a setting and has no effect${hint}`];
  });
}
