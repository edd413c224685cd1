import { DatabaseError } from 'pg';
import { conditionOf } from './condition-names.js';

/**
 * The database could not be reached, went away, or is not as it should be. `outcomeUnknown` is true
 * when a statement was sent and not answered, so it may be committed. Callers that are not
 * idempotent must check.
 */
export class DatabaseUnavailable extends Error {
  constructor(
    readonly outcomeUnknown: boolean,
    cause: unknown,
  ) {
    super('the database is unavailable', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** The database has a migration that this program does not know. */
export class DatabaseOfAnotherVersion extends Error {
  constructor(
    readonly schema: string,
    readonly migration: string,
  ) {
    super(
      `The database was written by another version of Watchword (schema ${schema}, migration ${migration}). ` +
        'Start that version, or start with an empty database: another DATA_DIR or DATABASE_URL.',
    );
    this.name = 'DatabaseOfAnotherVersion';
  }
}

/**
 * A start failed: nothing answers, or the server refuses our work. The message says what to change
 * and holds no secret.
 */
export class DatabaseUnusable extends Error {
  constructor(sentence: string, cause: unknown) {
    super(sentence, { cause });
    this.name = 'DatabaseUnusable';
  }
}

/** Explains why this DATABASE_URL does not connect, where a change of the setting helps. */
export function explainNotReached(error: unknown, databaseUrl: string): unknown {
  const host = decodeURIComponent(new URL(databaseUrl).host);
  const state = sqlState(error);
  const pooler = explainPooler(error, host);
  if (pooler !== undefined) return new DatabaseUnusable(pooler, error);
  if (state?.startsWith('28')) {
    const sentence = `PostgreSQL at ${host} refuses the user of DATABASE_URL: correct its name or password.`;
    return new DatabaseUnusable(sentence, error);
  }
  if (state === '3D000') {
    const sentence = `PostgreSQL at ${host} has no database of the name in DATABASE_URL: create it, or name another.`;
    return new DatabaseUnusable(sentence, error);
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (state !== undefined || !UNREACHED_CODES.has(code ?? '')) return error;
  const sentence = `No PostgreSQL answers at ${host} (${code}): start it, or correct DATABASE_URL.`;
  return new DatabaseUnusable(sentence, error);
}

/** Returns the sentence about a pooler, such as PgBouncer, that refuses a connection or gives none. */
function explainPooler(error: unknown, host: string): string | undefined {
  const { message = '' } = (error ?? {}) as Partial<Error>;
  const page = 'see "Poolers" in docs/guides/operate/poolers.md';
  if (message.startsWith('unsupported startup parameter')) {
    return `The connection pooler at ${host} refuses settings of a connection (${message}): ${page}.`;
  }
  if (sqlState(error) === '08P01') {
    return `The connection pooler at ${host} refuses the connection (${message}): ${page}.`;
  }
  if (sqlState(error) === '53300') {
    return `PostgreSQL at ${host} has no free connection (${message}): raise max_connections, or make the pools smaller.`;
  }
  if (!/^(?:timeout expired|Connection terminated due to connection timeout)$/.test(message)) {
    return undefined;
  }
  return (
    `${host} gave no connection of PostgreSQL in time. Is there a connection pooler without a free connection ` +
    `(default_pool_size of PgBouncer)? If so, ${page}.`
  );
}

/** Explains which right this user lacks for the roles and schemas of a start. */
export function explainRefused(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) return error;
  return explainMissingRight(error.message, error);
}

export function explainMissingRight(reason: string, cause: unknown): DatabaseUnusable {
  const sentence =
    `The user of DATABASE_URL may not prepare the database (${reason}): ` +
    'give it CREATEROLE, and make it the owner of the database.';
  return new DatabaseUnusable(sentence, cause);
}

const UNREACHED_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

export const INSUFFICIENT_PRIVILEGE = '42501';
export const UNIQUE_VIOLATION = '23505';
export const LOCK_NOT_AVAILABLE = '55P03';

/** Returns the SQLSTATE of a PostgreSQL error, for example `23505`. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/**
 * Describes a PostgreSQL error without its text, which may quote values: state, name and object,
 * for example `22P02 invalid_text_representation`. Undefined for other errors.
 */
export function describeDatabaseError(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || error.code === undefined) return undefined;
  const { code, table, column, constraint } = error;
  const names = [table, column, constraint].filter((name) => name !== undefined);
  const about = names.length > 0 ? ` (${names.join(', ')})` : '';
  return `${code} ${conditionOf(code)}${about}`;
}

/**
 * 08: connection; 53300: too many connections; 57P01..57P05: shut down, crashed, starting, dropped.
 */
const GONE_STATES = /^(?:08...|53300|57P0[1-5])$/;

export function isGone(error: unknown): boolean {
  if (error instanceof DatabaseError) return GONE_STATES.test(error.code ?? '');
  // An error that is neither PostgreSQL's answer nor our defect comes from the socket.
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}

/** Returns whether the server was demoted, or the server, database or role is read-only. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/**
 * States caused by values: cardinality, data, constraints, a limit of size or depth, our own
 * exception.
 */
const STATES_OF_VALUES = /^(?:21|22|23|54|P0|XX)/;

/**
 * Read-only, or a transaction left idle (25); a conflict or a deadlock (40); a lock or an object
 * that another session holds (55); no connection (08), disk or memory (53); a statement timeout, as
 * behind such a lock, or a server that stops (57); an unreadable file (58).
 */
const STATES_OF_SERVER = /^(?:25006|25P03|40001|40P01|55006|55P03|(?:08|53|57|58)...)$/;

/**
 * What caused PostgreSQL to refuse a statement:
 *
 * - `values`: the given values. A retry will be refused. XX, an internal error, is almost always
 *   caused by one row, except on a broken disk.
 * - `server`: the present state of the server. A retry may succeed.
 * - `program`: the program or its set-up, such as missing rights and columns (42) during an update,
 *   a transaction in the wrong state (the rest of 25), and codes of later versions.
 */
export type Fault = 'server' | 'values' | 'program';

export function faultOf(state: string): Fault {
  if (STATES_OF_VALUES.test(state)) return 'values';
  return STATES_OF_SERVER.test(state) ? 'server' : 'program';
}

/**
 * Returns whether the server answered that it cannot. Such an answer is a rollback: nothing was
 * done. A fault of the program is not included: for a request it is a defect, and is logged as one.
 */
export function isServerFault(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && faultOf(state) === 'server' && !isGone(error);
}

/** A deadlock, a conflict, a lock that was not given, or a statement that ran out of its time. */
const CONTENTION_STATES = /^(?:40001|40P01|55006|55P03|57014)$/;

/** Returns whether statements stood in each other's way. The server is well, and a retry may succeed. */
export function isContention(error: unknown): boolean {
  return CONTENTION_STATES.test(sqlState(error) ?? '');
}
