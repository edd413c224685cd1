import { withDeadline } from '@watchword/batching';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { DatabaseUnavailable, isGone, isReadOnly, isServerFault } from './database-errors.js';
import { queryOf, type Statement } from './statement.js';

export interface QueryOutcome<Row> {
  rows: Row[];
  rowCount: number;
}

/** The methods that a pool and a transaction share. */
export interface Queryable {
  query<Row = Record<string, unknown>>(
    statement: Statement | string,
    values?: readonly unknown[],
  ): Promise<QueryOutcome<Row>>;
}

export interface Transactional extends Queryable {
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
}

/** Source of connections, and what to do about their failures. */
export interface ConnectionSource {
  pool: Pool;
  onUnavailable: (cause: unknown) => void;
  /** Milliseconds until an unanswered statement is abandoned with its connection. */
  answerTimeoutMs: number | undefined;
}

/** A connection in use. A broken one is closed afterwards: lost, without an answer, or read-only. */
interface Loan {
  readonly client: PoolClient;
  isBroken: boolean;
}

export function transactional(source: ConnectionSource): Transactional {
  return {
    query<Row>(statement: Statement | string, values?: readonly unknown[]) {
      return lend(source, (loan) =>
        run<Row>(loan, source, statement, values).catch((error: unknown) => {
          throw asUnavailable(source, error, isGone(error));
        }),
      );
    },
    transaction: (work) => lend(source, (loan) => inTransaction(loan, source, work)),
  };
}

/** Rejects when the server takes no writes. A new connection may lead to another server. */
export function refuseReadOnly(source: ConnectionSource): Promise<void> {
  return lend(source, async (loan) => {
    const { rows } = await run<{ transaction_read_only: 'on' | 'off' }>(
      loan,
      source,
      'SHOW transaction_read_only',
    ).catch((error: unknown) => {
      throw asUnavailable(source, error, false);
    });
    if (rows[0]?.transaction_read_only !== 'on') return;
    loan.isBroken = true;
    throw unavailable(source, new Error('the server is read-only'));
  });
}

async function lend<Result>(
  source: ConnectionSource,
  work: (loan: Loan) => Promise<Result>,
): Promise<Result> {
  const client = await connect(source);
  const loan: Loan = { client, isBroken: false };
  try {
    const result = await work(loan);
    client.release();
    return result;
  } catch (error) {
    client.release(loan.isBroken);
    throw error;
  }
}

function connect(source: ConnectionSource): Promise<PoolClient> {
  return source.pool.connect().catch((error: unknown) => {
    throw unavailable(source, error);
  });
}

async function inTransaction<Result>(
  loan: Loan,
  source: ConnectionSource,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result> {
  const attempt = (statement: Statement | string, values?: readonly unknown[]) =>
    run(loan, source, statement, values).catch((error: unknown) => {
      // The server rolls back a transaction that broke before COMMIT was sent.
      throw asUnavailable(source, error, false);
    });
  try {
    await attempt('BEGIN');
    const result = await work({ query: attempt as Queryable['query'] });
    await run(loan, source, 'COMMIT').catch((error: unknown) => {
      throw asUnavailable(source, error, isGone(error));
    });
    return result;
  } catch (error) {
    await rollBack(loan, source);
    throw error;
  }
}

/** The server rolls back by itself when the connection is broken. */
async function rollBack(loan: Loan, source: ConnectionSource): Promise<void> {
  if (loan.isBroken) return;
  await run(loan, source, 'ROLLBACK').catch(() => (loan.isBroken = true));
}

async function run<Row>(
  loan: Loan,
  { answerTimeoutMs }: ConnectionSource,
  statement: Statement | string,
  values?: readonly unknown[],
): Promise<QueryOutcome<Row>> {
  const parameters = values as unknown[] | undefined;
  const asking = ask(loan.client, { ...queryOf(statement), values: parameters });
  try {
    const { rows, rowCount } = await (answerTimeoutMs === undefined
      ? asking
      : withDeadline(asking, answerTimeoutMs, noAnswer));
    return { rows: rows as Row[], rowCount: rowCount ?? 0 };
  } catch (error) {
    // Otherwise the stack ends at the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    if (isGone(error) || isReadOnly(error)) loan.isBroken = true;
    throw error;
  }
}

function noAnswer(): Error {
  return new Error('the database did not answer in time');
}

/** Asks with a callback: the driver's own promise is two. */
function ask(client: PoolClient, config: QueryConfig): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(config, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

/** Returns errors of the statement and of the program as they are. */
function asUnavailable(source: ConnectionSource, error: unknown, outcomeUnknown: boolean): unknown {
  if (!isGone(error) && !isServerFault(error)) return error;
  return unavailable(source, error, outcomeUnknown);
}

function unavailable(
  { onUnavailable }: ConnectionSource,
  cause: unknown,
  outcomeUnknown = false,
): DatabaseUnavailable {
  onUnavailable(cause);
  return new DatabaseUnavailable(outcomeUnknown, cause);
}
