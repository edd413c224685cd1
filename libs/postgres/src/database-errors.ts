import { DatabaseError } from 'pg';

/**
 * The database could not be reached, or went away. `outcomeUnknown` is true when a statement had
 * already been sent: it may have been committed. Callers that are not idempotent must look.
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

/** The database holds a migration this program does not know: it was used by a newer version. */
export class DatabaseNewerThanProgram extends Error {
  constructor(
    readonly schema: string,
    readonly migration: string,
  ) {
    super(
      `The database was written by a newer version of Watchword (schema ${schema}, migration ` +
        `${migration}). Start that version, or use another DATA_DIR or DATABASE_URL.`,
    );
    this.name = 'DatabaseNewerThanProgram';
  }
}

/** SQLSTATE of an error of PostgreSQL, for example `23505`. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** 08: connection; 53300: too many of them; 57P01..57P05: shut down, crashed, starting, dropped. */
const goneStates = /^(?:08...|53300|57P0[1-5])$/;

export function isGone(error: unknown): boolean {
  if (error instanceof DatabaseError) return goneStates.test(error.code ?? '');
  // Everything that is neither PostgreSQL's answer nor a mistake of ours comes from the socket.
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}
