import { withDeadline } from '@watchword/batching';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { DatabaseUnavailable, isGone, isReadOnly, isUnwell } from './database-errors.js';
import type { OutdatedConnections } from './outdated-connections.js';
import type { ServerWatch } from './server-watch.js';
import { queryOf, type Statement } from './statement.js';
import type { WarmConnections } from './warm-connections.js';

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
  warm: WarmConnections;
  watch: ServerWatch | undefined;
  outdated: OutdatedConnections;
  tell: (error: Error) => void;
  /** Milliseconds until a statement is abandoned. Undefined: the watch decides, where there is one. */
  patienceMs?: number | undefined;
}

export function transactional(source: ConnectionSource): Transactional {
  return {
    async query<Row>(statement: Statement | string, values?: readonly unknown[]) {
      const client = warmOf(source) ?? (await acquire(source));
      try {
        const outcome = await run<Row>(client, source, statement, values);
        source.warm.giveBack(client);
        return outcome;
      } catch (error) {
        client.release(isGone(error));
        throw asUnavailable(error);
      }
    },
    async transaction(work) {
      const client = warmOf(source) ?? (await acquire(source));
      try {
        const result = await inTransaction(client, source, work);
        source.warm.giveBack(client);
        return result;
      } catch (error) {
        client.release(!(await rollBack(client, source)));
        throw error;
      }
    },
  };
}

export function refusedToWrite({ outdated, watch, tell }: ConnectionSource, error: Error): void {
  outdated.begin();
  watch?.takesNoWrites(error);
  tell(error);
}

async function inTransaction<Result>(
  client: PoolClient,
  source: ConnectionSource,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result> {
  const attempt = (statement: Statement | string, values?: readonly unknown[]) =>
    run(client, source, statement, values).catch((error: unknown) => {
      // The server rolls back a transaction that broke before COMMIT was sent.
      throw isGone(error) || isUnwell(error) ? new DatabaseUnavailable(false, error) : error;
    });
  await attempt('BEGIN');
  const result = await work({ query: attempt as Queryable['query'] });
  await run(client, source, 'COMMIT').catch((error: unknown) => {
    throw asUnavailable(error);
  });
  return result;
}

/** Returns false when the connection is broken. The server then rolls back. */
async function rollBack(client: PoolClient, source: ConnectionSource): Promise<boolean> {
  if (source.watch?.refusesBecause || source.outdated.has(client)) return false;
  return run(client, source, 'ROLLBACK').then(
    () => true,
    () => false,
  );
}

/** Returns the connection that was used last, without the pool; none while the server is away. */
function warmOf({ warm, watch, outdated }: ConnectionSource): PoolClient | undefined {
  if (watch?.refusesBecause) return undefined;
  for (let client = warm.take(); client; client = warm.take()) {
    if (!outdated.has(client)) return client;
    client.release(true);
  }
  return undefined;
}

/** Connects. Outdated connections are closed on the way, at most as many as the pool holds. */
async function connect({ pool, outdated }: ConnectionSource): Promise<PoolClient> {
  for (;;) {
    const client = await pool.connect();
    if (!outdated.has(client)) return client;
    client.release(true);
  }
}

async function acquire(source: ConnectionSource): Promise<PoolClient> {
  const { watch, patienceMs } = source;
  if (!watch) return connect(source).catch(unavailable);
  if (watch.refusesBecause) return unavailable(watch.refusesBecause);
  const connecting = connect(source);
  let isWanted = true;
  connecting.then(
    (client) => isWanted || client.release(),
    (error: unknown) => watch.couldNotConnect(error),
  );
  // The pool itself drops a connection that takes too long.
  if (patienceMs !== undefined) return connecting.catch(unavailable);
  return watch.during(connecting).catch((error: unknown) => {
    isWanted = false;
    return unavailable(error);
  });
}

function unavailable(error: unknown): never {
  throw new DatabaseUnavailable(false, error);
}

async function run<Row>(
  client: PoolClient,
  source: ConnectionSource,
  statement: Statement | string,
  values?: readonly unknown[],
): Promise<QueryOutcome<Row>> {
  const parameters = values as unknown[] | undefined;
  const asking = answerOf(ask(client, { ...queryOf(statement), values: parameters }), source);
  try {
    const { rows, rowCount } = await asking;
    return { rows: rows as Row[], rowCount: rowCount ?? 0 };
  } catch (error) {
    // Otherwise the stack ends at the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    if (isReadOnly(error)) refusedToWrite(source, error as Error);
    else if (isUnwell(error)) source.tell(error as Error);
    throw error;
  }
}

/** Rejects once nobody should wait any longer. The driver's own time-out is a timer for each statement. */
function answerOf(
  asking: Promise<QueryResult>,
  { watch, patienceMs, outdated }: ConnectionSource,
): Promise<QueryResult> {
  if (patienceMs === undefined) return watch ? watch.during(asking) : asking;
  return withDeadline(asking, patienceMs, () => {
    // The others lead to the same host. Each would take as long to find that it vanished.
    outdated.begin();
    return new Error('the database did not answer in time');
  });
}

/** Asks with a callback: the driver's own promise is two. */
function ask(client: PoolClient, config: QueryConfig): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(config, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

function asUnavailable(error: unknown): unknown {
  if (isUnwell(error)) return new DatabaseUnavailable(false, error);
  return isGone(error) ? new DatabaseUnavailable(true, error) : error;
}
