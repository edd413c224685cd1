import { Client, Pool } from 'pg';
import type { ClientBase, ClientConfig, PoolClient } from 'pg';
import { DatabaseUnavailable, isGone } from './database-errors.js';
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

export interface DatabasePool extends Queryable {
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  end(): Promise<void>;
}

const defaultStatementTimeoutMs = 10_000;
const defaultConnectTimeoutMs = 3_000;
const idleTimeoutMs = 60_000;

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

  return {
    async query<Row>(statement: Statement | string, values?: readonly unknown[]) {
      const client = await acquire(pool);
      try {
        const outcome = await run<Row>(client, statement, values);
        client.release();
        return outcome;
      } catch (error) {
        client.release(isGone(error));
        throw asUnavailable(error);
      }
    },
    async transaction(work) {
      const client = await acquire(pool);
      try {
        const result = await inTransaction(client, work);
        client.release();
        return result;
      } catch (error) {
        client.release(!(await rollBack(client)));
        throw error;
      }
    },
    end() {
      ending = true;
      return pool.end();
    },
  };
}

async function inTransaction<Result>(
  client: PoolClient,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result> {
  const attempt = (statement: Statement | string, values?: readonly unknown[]) =>
    run(client, statement, values).catch((error: unknown) => {
      // Whatever broke before COMMIT was sent is rolled back by the server.
      throw isGone(error) ? new DatabaseUnavailable(false, error) : error;
    });
  await attempt('BEGIN');
  const result = await work({ query: attempt as Queryable['query'] });
  await run(client, 'COMMIT').catch((error: unknown) => {
    throw asUnavailable(error);
  });
  return result;
}

/** False when the connection is of no more use. */
async function rollBack(client: PoolClient): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}

async function acquire(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable(false, error);
  }
}

async function run<Row>(
  client: PoolClient,
  statement: Statement | string,
  values?: readonly unknown[],
): Promise<QueryOutcome<Row>> {
  const query = typeof statement === 'string' ? { text: statement } : statement;
  const parameters = values as unknown[] | undefined;
  const { rows, rowCount } = await client.query({ ...query, values: parameters });
  return { rows: rows as Row[], rowCount: rowCount ?? 0 };
}

function asUnavailable(error: unknown): unknown {
  return isGone(error) ? new DatabaseUnavailable(true, error) : error;
}
