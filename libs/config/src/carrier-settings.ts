import {
  builtInAccounts,
  type CarrierAccount,
  carrierOf,
  CARRIERS,
  type CarrierSetting,
  settingsOf,
  variableOf,
} from '@watchword/carriers/registry';
import { integer, text, url } from './setting.js';
import type { ServiceName, Setting } from './setting.js';

/**
 * Settings of accounts at carriers, derived from the registry of carriers. The first account of a
 * carrier bears the carrier's token; `CARRIER_ACCOUNTS` names further ones.
 */
const INTEGER_MAX = 100_000;

/** By variable in camel case: `twilioAuthToken`. */
export function firstAccountSettings(): Record<string, Setting<unknown>> {
  const entries = CARRIERS.flatMap((carrier) =>
    settingsOf(carrier).map((setting) => settingOf(carrier.token, setting)),
  );
  return Object.fromEntries(entries.map((entry) => [camelCase(entry.variable), entry]));
}

export interface AccountReading {
  readonly accounts: readonly CarrierAccount[];
  readonly problems: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `further` is the value of `CARRIER_ACCOUNTS`, which fits its pattern. */
export function readCarrierAccounts(
  environment: Environment,
  further: string,
  services: readonly ServiceName[],
): AccountReading {
  const problems: string[] = [];
  const first = CARRIERS.filter(({ settings }) => settings.length > 0).map(({ token }) => {
    const account = readAccount(environment, token, token, problems);
    problems.push(...halfSet(account, services));
    return account;
  });
  const taken = new Set(CARRIERS.flatMap(({ token, builtIn = [] }) => [token, ...builtIn]));
  const named = further === '' ? [] : further.split(',').map((pair) => pair.trim().split(':'));
  const others = named.flatMap(([id = '', carrier = '']) => {
    if ((carrierOf(carrier)?.settings.length ?? 0) === 0) {
      const known = CARRIERS.filter(({ settings }) => settings.length > 0);
      const tokens = known.map(({ token }) => token).join(', ');
      problems.push(`CARRIER_ACCOUNTS names the carrier ${carrier}; known are ${tokens}`);
      return [];
    }
    if (taken.has(id)) {
      problems.push(`CARRIER_ACCOUNTS names the account ${id} twice`);
      return [];
    }
    taken.add(id);
    const account = readAccount(environment, id, carrier, problems);
    problems.push(...missing(account, services));
    return [account];
  });
  return { accounts: [...first, ...others, ...builtInAccounts()], problems };
}

/** The variables that say what the accounts are, for a process to be started with. */
export function carrierVariables(accounts: readonly CarrierAccount[]): Record<string, string> {
  const withSettings = accounts.filter(({ carrier }) => descriptionsOf(carrier).length > 0);
  const values = withSettings.flatMap(({ id, carrier, settings }) =>
    descriptionsOf(carrier).map((setting) => [
      variableOf(id, setting),
      settings[setting.key] ?? '',
    ]),
  );
  const further = withSettings.filter(({ id, carrier }) => id !== carrier);
  const pairs = further.map(({ id, carrier }) => `${id}:${carrier}`).join(',');
  return { CARRIER_ACCOUNTS: pairs, ...Object.fromEntries(values) };
}

function readAccount(
  environment: Environment,
  id: string,
  carrier: string,
  problems: string[],
): CarrierAccount {
  const values = descriptionsOf(carrier).map((description) => {
    const { variable, parse } = settingOf(id, description);
    const value = environment[variable]?.trim() ?? '';
    // Those of a first account are checked with all other settings.
    if (id !== carrier && value !== '') complain(problems, variable, () => parse(value));
    return [description.key, value];
  });
  return { id, carrier, settings: Object.fromEntries(values) };
}

function complain(problems: string[], variable: string, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    problems.push(`${variable} ${(error as Error).message}`);
  }
}

/** An account is there or not; half of one is a slip. */
function halfSet(account: CarrierAccount, services: readonly ServiceName[]): string[] {
  const needed = neededBy(account, services);
  const left = needed.filter(({ key }) => account.settings[key] === '');
  if (left.length === 0 || left.length === needed.length) return [];
  const names = needed.map((setting) => variableOf(account.id, setting));
  return [`${names.join(' and ')} must be set together`];
}

function missing(account: CarrierAccount, services: readonly ServiceName[]): string[] {
  return neededBy(account, services)
    .filter(({ key }) => account.settings[key] === '')
    .map((setting) => {
      const variable = variableOf(account.id, setting);
      return `${variable} must be set, because CARRIER_ACCOUNTS names ${account.id}`;
    });
}

function neededBy(
  { carrier }: CarrierAccount,
  running: readonly ServiceName[],
): readonly CarrierSetting[] {
  return descriptionsOf(carrier).filter(
    ({ required, services }) => required && services.some((service) => running.includes(service)),
  );
}

function descriptionsOf(carrier: string): readonly CarrierSetting[] {
  const found = carrierOf(carrier);
  return found === undefined ? [] : settingsOf(found);
}

function settingOf(accountId: string, description: CarrierSetting): Setting<unknown> {
  const { kind, pattern, meaning, fallbackText, secret = false, services, sentence } = description;
  const variable = variableOf(accountId, description);
  const common = { variable, fallbackText, secret, services, sentence };
  if (kind === 'url') return url({ ...common, fallback: '', protocols: ['http', 'https'] });
  if (kind === 'text') return text({ ...common, fallback: '', pattern, meaning });
  return integer({ ...common, fallback: 0, minimum: 1, maximum: INTEGER_MAX });
}

function camelCase(variable: string): string {
  return variable
    .toLowerCase()
    .replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
