import {
  builtInAccounts,
  type CarrierAccount,
  carrierOf,
  ALL_CARRIERS,
  type CarrierSetting,
  settingsOf,
  variableOf,
} from '@watchword/carriers/registry';
import { Text, Url, WholeNumber } from './kinds.js';
import { type Environment, readSettings, textOf } from './read-settings.js';
import { all, type ServiceName, Setting, type SettingsClass } from './setting.js';

const INTEGER_MAX = 100_000;
const PORT_MAX = 65_535;

/**
 * The settings of one account at each carrier, as the registry of carriers describes them. The
 * account has the carrier's token as its id; `CARRIER_ACCOUNTS` names further accounts.
 */
export class FirstAccountSettings {}
for (const { token } of ALL_CARRIERS) describeAccount(FirstAccountSettings, token, token);

export interface AccountReading {
  readonly accounts: readonly CarrierAccount[];
  readonly problems: readonly string[];
}

/** Reads the accounts. `further` is the value of `CARRIER_ACCOUNTS`, which fits its pattern. */
export function readCarrierAccounts(
  environment: Environment,
  further: string,
  services: readonly ServiceName[],
): AccountReading {
  const problems: string[] = [];
  const first = ALL_CARRIERS.filter(({ settings }) => settings.length > 0).map(({ token }) => {
    const account = readAccount(environment, token, token, problems);
    problems.push(...halfSet(account, services), ...withoutNeeded(account, services));
    return account;
  });
  const taken = new Set(ALL_CARRIERS.flatMap(({ token, builtIn = [] }) => [token, ...builtIn]));
  const named = further === '' ? [] : further.split(',').map((pair) => pair.trim().split(':'));
  const others = named.flatMap(([id = '', carrier = '']) => {
    if ((carrierOf(carrier)?.settings.length ?? 0) === 0) {
      const known = ALL_CARRIERS.filter(({ settings }) => settings.length > 0);
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
    problems.push(...missing(account, services), ...withoutNeeded(account, services));
    return [account];
  });
  return { accounts: [...first, ...others, ...builtInAccounts()], problems };
}

/** Returns the variables that describe the accounts, for a new process. */
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
  const account = class {};
  describeAccount(account, id, carrier);
  problems.push(...readSettings(account, environment).problems);
  const values = descriptionsOf(carrier).map((description) => [
    description.key,
    textOf(environment, variableOf(id, description)),
  ]);
  return { id, carrier, settings: Object.fromEntries(values) };
}

/** Returns a problem if an account has some of its required settings but not all. */
function halfSet(account: CarrierAccount, services: readonly ServiceName[]): string[] {
  const needed = neededBy(account, services);
  const left = needed.filter(({ key }) => account.settings[key] === '');
  if (left.length === 0 || left.length === needed.length) return [];
  const names = needed.map((setting) => variableOf(account.id, setting));
  return [`${names.join(' and ')} must be set together`];
}

/** Returns the settings that mean nothing, because another one of the account is not set. */
function withoutNeeded(
  { id, carrier, settings }: CarrierAccount,
  running: readonly ServiceName[],
): string[] {
  const descriptions = descriptionsOf(carrier);
  return descriptions.flatMap((setting) => {
    const needed = descriptions.find(({ key }) => key === setting.needs);
    if (needed === undefined || settings[setting.key] === '' || settings[needed.key] !== '') {
      return [];
    }
    // A process that does not read the needed setting need not have it.
    if (!needed.services.some((service) => running.includes(service))) return [];
    return [`${variableOf(id, needed)} must be set when ${variableOf(id, setting)} is`];
  });
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

/**
 * Declares the settings of an account as properties of a class. Each property has its variable's
 * name.
 */
function describeAccount(target: SettingsClass, accountId: string, carrier: string): void {
  for (const description of descriptionsOf(carrier)) {
    const { fallbackText, secret, services: readBy, sentence } = description;
    const variable = variableOf(accountId, description);
    const decorate = all(
      Setting(variable, sentence, { readBy, secret, fallbackText }),
      kindOf(description),
    );
    decorate(target.prototype as object, variable);
  }
}

function kindOf({ kind, pattern, meaning }: CarrierSetting): PropertyDecorator {
  if (kind === 'url') return Url('http', 'https');
  if (kind === 'text') return Text(meaning, pattern);
  return WholeNumber(1, kind === 'port' ? PORT_MAX : INTEGER_MAX);
}
