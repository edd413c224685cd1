import { readFileSync } from 'node:fs';
import {
  accountFrom,
  type AccountMember,
  ALL_CARRIERS,
  builtInAccounts,
  type CarrierAccount,
  carrierOf,
  isSet,
  settingsOf,
} from '@watchword/carriers/registry';
import { validateSync } from 'class-validator';
import { nearMiss } from './near-miss.policy.js';
import type { Environment } from './read-settings.js';
import type { ServiceName } from './setting.js';

/**
 * Accounts at carriers are rows of a JSON file. A row is `{id, carrier, settings, secrets}`, where
 * a secret is a reference: `{"env": "NAME"}` or `{"file": "path"}`. With `simulated: true` the
 * simulator that runs beside an embedded installation plays the account.
 */
export interface AccountReading {
  readonly accounts: readonly CarrierAccount[];
  readonly problems: readonly string[];
  /** Environment variables that rows name. */
  readonly variables: readonly string[];
}

export interface AccountsWanted {
  /** Value of `CARRIERS_FILE`. Empty when unset. */
  readonly file: string;
  readonly environment: Environment;
  /** Services of the process. It reads the secrets of these alone. */
  readonly services: readonly ServiceName[];
  /** Whether the simulator runs beside this installation. */
  readonly isEmbedded: boolean;
  /** Whether a secret that cannot be read is a problem. */
  readonly needsSecrets: boolean;
}

/** The accounts of an embedded installation whose settings name no file. */
const SIMULATED_BY_DEFAULT = ['twilio', 'africas_talking', 'smtp'];
const ROW_MEMBERS = ['id', 'carrier', 'simulated', 'settings', 'secrets'];
const ID = /^[a-z][a-z0-9_]{1,31}$/;
const WRONG_LETTERS_MAX = 2;

type Row = Readonly<Record<string, unknown>>;

export function readCarrierAccounts(wanted: AccountsWanted): AccountReading {
  const { file, services, isEmbedded } = wanted;
  const builtIn = builtInAccounts();
  const unread = !services.includes('gateway') && !services.includes('dispatch');
  if (file === '' || unread) {
    const tokens = file === '' && isEmbedded ? SIMULATED_BY_DEFAULT : [];
    const simulated = tokens.map((token) => accountFrom(token, {}, { isSimulated: true }));
    return { accounts: [...simulated, ...builtIn], problems: [], variables: [] };
  }
  const rows = rowsOf(file);
  if (typeof rows === 'string') return { accounts: builtIn, problems: [rows], variables: [] };
  const readers = rows.map((row, index) => new RowReader(row, index + 1, wanted));
  const accounts = readers.flatMap((reader) => reader.read());
  const problems = [...readers.flatMap((reader) => reader.problems), ...twice(file, accounts)];
  const variables = readers.flatMap((reader) => reader.variables);
  return { accounts: [...accounts, ...builtIn], problems, variables };
}

/** Returns the rows of the file, or the problem with it. It never quotes the file. */
function rowsOf(file: string): readonly unknown[] | string {
  const shape = `CARRIERS_FILE ${file} must be a JSON list of rows {id, carrier, settings, secrets}`;
  const text = contentOf(file);
  if (text === undefined) return `CARRIERS_FILE ${file} cannot be read`;
  try {
    const rows = JSON.parse(text) as unknown;
    return Array.isArray(rows) ? rows : shape;
  } catch (error) {
    const [place = ''] = /line \d+ column \d+/.exec(String(error)) ?? [];
    return place === '' ? shape : `${shape}; it is no JSON at ${place}`;
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Returns accounts that share an id, and carriers of which the simulator would play two. */
function twice(file: string, accounts: readonly CarrierAccount[]): string[] {
  const ids = accounts.map(({ id }) => id);
  const repeated = ids.filter((id, index) => ids.indexOf(id) < index);
  const played = accounts.filter(({ isSimulated }) => isSimulated).map(({ carrier }) => carrier);
  const playedTwice = played.filter((carrier, index) => played.indexOf(carrier) < index);
  return [
    ...repeated.map((id) => `CARRIERS_FILE ${file} has two rows with the id ${id}`),
    ...playedTwice.map(
      (carrier) =>
        `CARRIERS_FILE ${file}: the simulator plays one account of ${carrier}, and two rows are simulated`,
    ),
  ];
}

/** Reads one row. Every problem names the file, the row and the member. */
class RowReader {
  readonly problems: string[] = [];
  readonly variables: string[] = [];
  private readonly row: Row;
  private readonly place: string;

  constructor(
    given: unknown,
    number: number,
    private readonly wanted: AccountsWanted,
  ) {
    const isRow = isObject(given);
    this.row = isRow ? given : {};
    const named = this.row['id'];
    const id = typeof named === 'string' && ID.test(named) ? ` (${named})` : '';
    this.place = `CARRIERS_FILE ${wanted.file}, row ${number}${id}`;
    if (!isRow) this.problem('must be an object {id, carrier, settings, secrets}');
  }

  read(): CarrierAccount[] {
    if (this.problems.length > 0) return [];
    const { id, carrier: token, simulated = false } = this.row;
    this.refuseUnknown('', Object.keys(this.row), ROW_MEMBERS);
    if (typeof id !== 'string' || !ID.test(id)) {
      this.problem('id must be 2 to 32 lower-case letters, digits or _, and begin with a letter');
    }
    const carrier = typeof token === 'string' ? carrierOf(token) : undefined;
    if (typeof token !== 'string' || carrier?.settings === undefined) {
      const known = ALL_CARRIERS.filter(({ settings }) => settings !== undefined);
      this.problem(`carrier must be one of ${known.map((one) => one.token).join(', ')}`);
      return [];
    }
    const builtIn = ALL_CARRIERS.flatMap((one) => [one.token, ...(one.builtIn ?? [])]);
    if (id !== token && builtIn.includes(String(id))) {
      this.problem('id must not be the name of another carrier');
    }
    if (typeof simulated !== 'boolean') this.problem('simulated must be true or false');
    if (simulated === true && !this.wanted.isEmbedded) {
      this.problem('simulated must not be true where DATABASE_URL is set: no simulator runs there');
    }
    const isSimulated = simulated === true;
    const members = settingsOf(carrier);
    const values = { ...this.settings(members), ...this.secrets(members) };
    const account = accountFrom(token, values, { id: String(id), isSimulated });
    this.check(account.settings, members);
    this.complete(account, members);
    return [account];
  }

  private settings(members: readonly AccountMember[]): Row {
    const given = this.objectAt('settings');
    const names = members.filter(({ secret }) => !secret).map(({ name }) => name);
    const secrets = members.filter(({ secret }) => secret).map(({ name }) => name);
    for (const name of Object.keys(given).filter((one) => secrets.includes(one))) {
      this.problem(
        `settings.${name} is a secret: give it under secrets, as {"env": "NAME"} or {"file": "path"}`,
      );
    }
    const others = Object.keys(given).filter((name) => !secrets.includes(name));
    this.refuseUnknown('settings.', others, names);
    return this.byProperty(members, (name) => (names.includes(name) ? given[name] : undefined));
  }

  /** Reads the secrets that the services of this process use. */
  private secrets(members: readonly AccountMember[]): Row {
    const given = this.objectAt('secrets');
    const secrets = members.filter(({ secret }) => secret);
    const names = secrets.map(({ name }) => name);
    const plain = members.filter(({ secret }) => !secret).map(({ name }) => name);
    for (const name of Object.keys(given).filter((one) => plain.includes(one))) {
      this.problem(`secrets.${name} is no secret: give it under settings`);
    }
    const others = Object.keys(given).filter((name) => !plain.includes(name));
    this.refuseUnknown('secrets.', others, names);
    const read = secrets.filter(({ services }) => this.isReadHere(services));
    return this.byProperty(read, (name) => this.secretAt(name, given[name]));
  }

  private secretAt(name: string, reference: unknown): string | undefined {
    if (reference === undefined || reference === null) return undefined;
    const { env, file, ...others } = isObject(reference) ? reference : { other: true };
    const named = [env, file].filter((one) => typeof one === 'string' && one !== '');
    if (named.length !== 1 || Object.keys(others).length > 0) {
      this.problem(`secrets.${name} must be {"env": "NAME"} or {"file": "path"}`);
      return undefined;
    }
    if (typeof env === 'string') this.variables.push(env);
    const value =
      typeof env === 'string' ? this.wanted.environment[env]?.trim() : contentOf(String(file));
    if (value) return value;
    if (!this.wanted.needsSecrets) return undefined;
    this.problem(
      typeof env === 'string'
        ? `secrets.${name}: the environment variable ${env} is not set`
        : `secrets.${name}: the file ${String(file)} cannot be read, or is empty`,
    );
    return undefined;
  }

  /** Lets the decorators of the carrier's class check the values. */
  private check(settings: object, members: readonly AccountMember[]): void {
    const errors = validateSync(settings, { skipMissingProperties: true, stopAtFirstError: true });
    for (const { property, constraints = {} } of errors) {
      const member = members.find((one) => one.property === property)!;
      // An empty secret was a problem before, or is none of this process.
      if (!isSet(settings, property) && (member.secret || !this.isGiven(member))) continue;
      for (const message of Object.values(constraints)) {
        this.problem(`${pathOf(member)} ${message}`);
      }
    }
  }

  /** Adds what is missing: required members, and those without which others mean nothing. */
  private complete({ isSimulated }: CarrierAccount, members: readonly AccountMember[]): void {
    for (const member of members) {
      const { required, needs, services, simulated } = member;
      const isFilled = isSimulated === true && simulated !== undefined;
      if (required && !isFilled && this.isReadHere(services) && !this.isGiven(member)) {
        this.problem(`${pathOf(member)} must be set`);
      }
      const needed = members.find(({ property }) => property === needs);
      if (needed && this.isGiven(member) && !this.isGiven(needed)) {
        this.problem(`${pathOf(needed)} must be set when ${pathOf(member)} is`);
      }
    }
  }

  private isGiven({ name, secret }: AccountMember): boolean {
    return (this.objectAt(secret ? 'secrets' : 'settings')[name] ?? null) !== null;
  }

  private isReadHere(services: readonly ServiceName[]): boolean {
    return services.some((service) => this.wanted.services.includes(service));
  }

  private byProperty(
    members: readonly AccountMember[],
    valueOf: (name: string) => unknown,
  ): Record<string, unknown> {
    const given = members.map((member) => [member, valueOf(member.name)] as const);
    const set = given.filter(([, value]) => value !== undefined && value !== null);
    return Object.fromEntries(set.map(([{ property, tidy }, value]) => [property, tidy(value)]));
  }

  private objectAt(name: 'settings' | 'secrets'): Row {
    const given = this.row[name] ?? {};
    if (isObject(given)) return given;
    const problem = `${name} must be an object`;
    if (!this.problems.some((one) => one.endsWith(problem))) this.problem(problem);
    return {};
  }

  private refuseUnknown(path: string, names: readonly string[], known: readonly string[]): void {
    for (const name of names.filter((one) => !known.includes(one))) {
      const meant = nearMiss(name, known, WRONG_LETTERS_MAX);
      const hint = meant === undefined ? '' : `; did you mean ${path}${meant}?`;
      this.problem(`${path}${name} is no member of it${hint}`);
    }
  }

  private problem(sentence: string): void {
    this.problems.push(`${this.place}: ${sentence}`);
  }
}

function pathOf({ name, secret }: AccountMember): string {
  return `${secret ? 'secrets' : 'settings'}.${name}`;
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface AccountRow {
  readonly id: string;
  readonly carrier: string;
  readonly settings: Row;
  readonly secrets: Readonly<Record<string, { readonly env: string }>>;
}

/**
 * Returns rows that describe these accounts to other processes, and for each service the variables
 * that its secrets are in.
 */
export function carrierRows(accounts: readonly CarrierAccount[]): {
  rows: readonly AccountRow[];
  variablesOf: (service: ServiceName) => Record<string, string>;
} {
  const described = accounts.flatMap((account) => {
    const members = settingsOf(carrierOf(account.carrier)!);
    const values = account.settings as Row;
    return members
      .filter(({ property }) => isSet(values, property))
      .map((member) => ({ account, member, value: values[member.property] }));
  });
  const variableOf = ({ id }: CarrierAccount, { name }: AccountMember) =>
    `${id}_${name}`.toUpperCase();
  const rows = accounts
    .filter(({ carrier }) => carrierOf(carrier)?.settings !== undefined)
    .map((account) => {
      const own = described.filter((one) => one.account === account);
      const plain = own.filter(({ member }) => !member.secret);
      const secret = own.filter(({ member }) => member.secret);
      const env = (member: AccountMember) => ({ env: variableOf(account, member) });
      return {
        id: account.id,
        carrier: account.carrier,
        settings: Object.fromEntries(plain.map(({ member, value }) => [member.name, value])),
        secrets: Object.fromEntries(secret.map(({ member }) => [member.name, env(member)])),
      };
    });
  const variablesOf = (service: ServiceName) =>
    Object.fromEntries(
      described
        .filter(({ member }) => member.secret && (member.services as string[]).includes(service))
        .map(({ account, member, value }) => [variableOf(account, member), String(value)]),
    );
  return { rows, variablesOf };
}
