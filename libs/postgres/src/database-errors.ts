import { DatabaseError } from 'pg';
import { conditionOf } from './condition-names.js';

/**
 * The database could not be reached, went away, or is not as it should be. `outcomeUnknown` is true
 * when a statement had already been sent, and nothing was answered: it may have been committed.
 * Callers that are not idempotent must look.
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

/** The server answers and takes no writes: it was demoted or set read-only. */
export class DatabaseReadOnly extends Error {
  constructor() {
    super('the database is read-only');
    this.name = 'DatabaseReadOnly';
  }
}

/** A newer version has migrated the database, and declares that this program is too old for it. */
export class DatabaseNewerThanProgram extends Error {
  constructor(
    readonly schema: string,
    readonly migration: string,
  ) {
    super(
      `The database was written by a newer version of Watchword (schema ${schema}, migration ` +
        `${migration}), which this one is too old for. Start that version, or use another DATA_DIR or DATABASE_URL.`,
    );
    this.name = 'DatabaseNewerThanProgram';
  }
}

/** At a start: nothing answers, or what answers does not let us do our work. Says what to mend, and no secret. */
export class DatabaseUnusable extends Error {
  constructor(sentence: string, cause: unknown) {
    super(sentence, { cause });
    this.name = 'DatabaseUnusable';
  }
}

/** Explains why this DATABASE_URL does not connect, where a change of the setting helps. */
export function explainNotReached(error: unknown, databaseUrl: string): unknown {
  const { host } = new URL(databaseUrl);
  const state = sqlState(error);
  if (state?.startsWith('28')) {
    const sentence = `PostgreSQL at ${host} refuses the user of DATABASE_URL: correct its name or password.`;
    return new DatabaseUnusable(sentence, error);
  }
  if (state === '3D000') {
    const sentence = `PostgreSQL at ${host} has no database of the name in DATABASE_URL: create it, or name another.`;
    return new DatabaseUnusable(sentence, error);
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (state !== undefined || !unreachedCodes.has(code ?? '')) return error;
  const sentence = `No PostgreSQL answers at ${host} (${code}): start it, or correct DATABASE_URL.`;
  return new DatabaseUnusable(sentence, error);
}

/** What a start has to do with roles and schemas, and this user may not. */
export function explainRefused(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.code !== '42501') return error;
  return new DatabaseUnusable(
    `The user of DATABASE_URL may not prepare the database (${error.message}): ` +
      'give it CREATEROLE, and make it the owner of the database.',
    error,
  );
}

const unreachedCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

export const UNIQUE_VIOLATION = '23505';
export const LOCK_NOT_AVAILABLE = '55P03';

/** SQLSTATE of an error of PostgreSQL, for example `23505`. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/**
 * What an error of PostgreSQL says, without its text, which may quote values of the statement; its
 * state, its name, and what it is about: `22P02 invalid_text_representation`. Undefined for others.
 */
export function describeDatabaseError(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || error.code === undefined) return undefined;
  const { code, table, column, constraint } = error;
  const names = [table, column, constraint].filter((name) => name !== undefined);
  const about = names.length > 0 ? ` (${names.join(', ')})` : '';
  return `${code} ${conditionOf(code)}${about}`;
}

/** 08: connection; 53300: too many of them; 57P01..57P05: shut down, crashed, starting, dropped. */
const goneStates = /^(?:08...|53300|57P0[1-5])$/;

export function isGone(error: unknown): boolean {
  if (error instanceof DatabaseError) return goneStates.test(error.code ?? '');
  // Everything that is neither PostgreSQL's answer nor a mistake of ours comes from the socket.
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}

/** The server was demoted, or the server, the database or the role is set read-only. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseReadOnly || sqlState(error) === '25006';
}

/** Of values: cardinality, data, constraints, a limit of size or depth, an exception of ours. */
const statesOfValues = /^(?:21|22|23|54|P0|XX)/;

/**
 * Read-only, or a transaction left idle (25); others were faster, or a deadlock (40); a lock or an
 * object that another session holds (55); no connection (08), disk or memory (53); a statement that took too
 * long, as behind such a lock, or a server that stops (57); a file that cannot be read (58).
 */
const statesOfServer = /^(?:25006|25P03|40001|40P01|55006|55P03|(?:08|53|57|58)...)$/;

/**
 * Whose doing it is that PostgreSQL refused a statement:
 *
 * - `values`: of what it was given. It will be refused again. XX, which PostgreSQL cannot explain
 *   itself, is on all but a broken disk one row's doing.
 * - `server`: of the server as it is just now. A retry may succeed.
 * - `program`: of the program or its set-up, as rights and columns (42) that an update has not brought
 *   yet, a transaction in the wrong state (the rest of 25), and codes of later versions.
 */
export type Fault = 'server' | 'values' | 'program';

export function faultOf(state: string): Fault {
  if (statesOfValues.test(state)) return 'values';
  return statesOfServer.test(state) ? 'server' : 'program';
}

/**
 * The server answered that it cannot, because of itself. An answer is a rollback: nothing was done.
 * A fault of the program is not among them: to a request it is a defect, which is logged as one.
 */
export function isUnwell(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && faultOf(state) === 'server' && !isGone(error);
}
