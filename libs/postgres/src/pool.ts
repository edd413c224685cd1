import { Client, Pool } from 'pg';
import type { ClientBase, ClientConfig, PoolClient } from 'pg';
import { DatabaseUnavailable, isGone } from './database-errors.js';
import { ServerWatch } from './server-watch.js';
import type { Statement } from './statement.js';
import { typeParsers } from './type-parsers.js';

export interface ConnectionOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** The only schema on the search path. */
  schema?: string;
  /**
   * `force_custom_plan` plans with the real parameters each time: for statements whose tables were
   * empty when they were prepared, it is worth far more than the planning costs.
   */
  planCacheMode?: 'auto' | 'force_custom_plan';
  statementTimeoutMs?: number;
}

export interface PoolOptions extends ConnectionOptions {
  max: number;
  connectTimeoutMs?: number;
  /**
   * While the server is away, or hangs, callers are refused at once; see `ServerWatch`. For pools
   * that serve requests: somebody waits for the answer. Others who share one ask `patient`.
   */
  refusesWhileAway?: boolean;
  /** Told about connections that break while nobody uses them; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void;
}

export interface QueryOutcome<Row> {
  rows: Row[];
  rowCount: number;
}

/** What both a pool and a transaction can do. */
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

export interface DatabasePool extends Transactional {
  /**
   * The same connections for consumers and jobs, which nobody waits for: what has been sent is not
   * given up while the server may still answer it, for it may commit; only new work is refused
   * while the server is away.
   */
  readonly patient: Transactional;
  end(): Promise<void>;
}

const defaultStatementTimeoutMs = 10_000;
const defaultConnectTimeoutMs = 3_000;
/** For an answer that is on its way when its time is over. */
const graceMs = 5_000;
const idleTimeoutMs = 60_000;
/** Of the watch's own connection: a server that comes back sooner answers the try that is under way. */
const watchConnectTimeoutMs = 2_000;

/** Settings travel in the start-up packet, so that a new connection costs no extra round trip. */
function clientConfig(options: ConnectionOptions): ClientConfig {
  const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
  const settings = [
    `-c statement_timeout=${statementTimeoutMs}`,
    `-c idle_in_transaction_session_timeout=${statementTimeoutMs}`,
    `-c plan_cache_mode=${options.planCacheMode ?? 'auto'}`,
    '-c timezone=UTC',
  ];
  if (options.schema !== undefined) settings.push(`-c search_path=${options.schema}`);
  return {
    connectionString: options.url,
    application_name: options.applicationName,
    options: settings.join(' '),
    types: typeParsers,
    keepAlive: true,
  };
}

/** A connection of one's own, for LISTEN or a session lock. The caller connects and ends it. */
export function createClient(options: ConnectionOptions): Client {
  return withoutCrash(new Client(clientConfig(options)));
}

/**
 * A connection that breaks in somebody's hands fails their statement; that it also emits `error`
 * would, with nobody listening, end the process.
 */
function withoutCrash<Client extends ClientBase>(client: Client): Client {
  return client.on('error', () => undefined);
}

export function createPool(options: PoolOptions): DatabasePool {
  const pool = new Pool({
    ...clientConfig(options),
    max: options.max,
    idleTimeoutMillis: idleTimeoutMs,
    connectionTimeoutMillis: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
  });
  pool.on('connect', withoutCrash);
  let ending = false;
  pool.on('error', (error) => {
    // A server that stops while our goodbye is on its way is no news.
    if (!ending) options.onIdleError?.(error);
  });
  const watch = options.refusesWhileAway ? watchOf(options) : undefined;

  return {
    ...transactional({ pool, watch }),
    patient: transactional({ pool, watch, patienceMs: patienceOf(options) }),
    end() {
      ending = true;
      watch?.close();
      return pool.end();
    },
  };
}

interface Way {
  pool: Pool;
  watch: ServerWatch | undefined;
  /** When a statement is given up; undefined: when the watch says so. */
  patienceMs?: number;
}

/** By then the server itself has ended the statement, or it, or the way to it, is gone for good. */
function patienceOf({ statementTimeoutMs = defaultStatementTimeoutMs }: PoolOptions): number {
  return statementTimeoutMs + graceMs;
}

function transactional(way: Way): Transactional {
  return {
    async query<Row>(statement: Statement | string, values?: readonly unknown[]) {
      const client = await acquire(way);
      try {
        const outcome = await run<Row>(client, way, statement, values);
        client.release();
        return outcome;
      } catch (error) {
        client.release(isGone(error));
        throw asUnavailable(error);
      }
    },
    async transaction(work) {
      const client = await acquire(way);
      try {
        const result = await inTransaction(client, way, work);
        client.release();
        return result;
      } catch (error) {
        client.release(!(await rollBack(client, way)));
        throw error;
      }
    },
  };
}

function watchOf(options: PoolOptions): ServerWatch {
  const config = { ...clientConfig(options), connectionTimeoutMillis: watchConnectTimeoutMs };
  return new ServerWatch({ createClient: () => withoutCrash(new Client(config)) });
}

async function inTransaction<Result>(
  client: PoolClient,
  way: Way,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result> {
  const attempt = (statement: Statement | string, values?: readonly unknown[]) =>
    run(client, way, statement, values).catch((error: unknown) => {
      // Whatever broke before COMMIT was sent is rolled back by the server.
      throw isGone(error) ? new DatabaseUnavailable(false, error) : error;
    });
  await attempt('BEGIN');
  const result = await work({ query: attempt as Queryable['query'] });
  await run(client, way, 'COMMIT').catch((error: unknown) => {
    throw asUnavailable(error);
  });
  return result;
}

/** False when the connection is of no more use; then the server rolls back by itself. */
async function rollBack(client: PoolClient, way: Way): Promise<boolean> {
  if (way.watch?.awayBecause) return false;
  return run(client, way, 'ROLLBACK').then(
    () => true,
    () => false,
  );
}

async function acquire({ pool, watch, patienceMs }: Way): Promise<PoolClient> {
  if (!watch) return pool.connect().catch(unavailable);
  if (watch.awayBecause) return unavailable(watch.awayBecause);
  const connecting = pool.connect();
  let isWanted = true;
  connecting.then(
    (client) => isWanted || client.release(),
    (error: unknown) => watch.couldNotConnect(error),
  );
  // The pool itself gives up a connection that does not come.
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
  { watch, patienceMs }: Way,
  statement: Statement | string,
  values?: readonly unknown[],
): Promise<QueryOutcome<Row>> {
  const query = typeof statement === 'string' ? { text: statement } : statement;
  const parameters = values as unknown[] | undefined;
  const config = { ...query, values: parameters, query_timeout: patienceMs };
  const asking = client.query(config);
  const isWatched = watch && patienceMs === undefined;
  const { rows, rowCount } = await (isWatched ? watch.during(asking) : asking);
  return { rows: rows as Row[], rowCount: rowCount ?? 0 };
}

function asUnavailable(error: unknown): unknown {
  return isGone(error) ? new DatabaseUnavailable(true, error) : error;
}
