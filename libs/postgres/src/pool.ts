import { Client, Pool } from 'pg';
import type { ClientBase, ClientConfig, PoolClient } from 'pg';
import {
  DatabaseReadOnly,
  DatabaseUnavailable,
  isGone,
  isReadOnly,
  isUnwell,
  sqlState,
} from './database-errors.js';
import { askWhetherReadOnly, saysReadOnly, ServerWatch } from './server-watch.js';
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
  /**
   * Told that the server refuses work because of itself: read-only, no disk, a lock that somebody
   * holds. Callers hear only that it is unavailable, so somebody has to say why; now and then of each.
   */
  onUnwell?: (error: Error) => void;
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
  /** Rejects while no work can be done here: the server is away, or takes no writes. */
  look(): Promise<void>;
  end(): Promise<void>;
}

const defaultStatementTimeoutMs = 10_000;
const defaultConnectTimeoutMs = 3_000;
/** Between two times that the same is told of: what a server refuses it refuses many times a second. */
const tellAgainAfterMs = 10_000;
/** For an answer that is on its way when its time is over. */
const graceMs = 5_000;
const idleTimeoutMs = 60_000;
/** Of the watch's own connection: a server that comes back sooner answers the try that is under way. */
const watchTimeoutMs = 2_000;

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
  const outdated = new Outdated();
  pool.on('connect', (client) => outdated.opened(withoutCrash(client)));
  let ending = false;
  pool.on('error', (error) => {
    // A server that stops while our goodbye is on its way is no news.
    if (!ending) options.onIdleError?.(error);
  });
  const watch = options.refusesWhileAway ? watchOf(options, outdated) : undefined;
  const way = { pool, watch, outdated, tell: rarely(options.onUnwell) };
  const atOnce = transactional(way);

  return {
    ...atOnce,
    patient: transactional({ ...way, patienceMs: patienceOf(options) }),
    async look() {
      const { rows } = await atOnce.query(askWhetherReadOnly);
      if (!saysReadOnly(rows)) return;
      const readOnly = new DatabaseReadOnly();
      refusedToWrite(way, readOnly);
      throw new DatabaseUnavailable(false, readOnly);
    },
    end() {
      ending = true;
      watch?.close();
      return pool.end();
    },
  };
}

/**
 * Connections that are not to be used again. Whether one takes writes may be settled when it is opened,
 * so when one of them refuses, those that were opened until then, or while it lasted, are replaced.
 */
class Outdated {
  private readonly openedIn = new WeakMap<ClientBase, number>();
  private era = 0;

  opened(client: ClientBase): void {
    this.openedIn.set(client, this.era);
  }

  /** From now on those that are open. */
  begin(): void {
    this.era += 1;
  }

  has(client: ClientBase): boolean {
    return this.openedIn.get(client) !== this.era;
  }
}

/** Of each state once, and then not for a while. */
function rarely(tell: (error: Error) => void = () => undefined): (error: Error) => void {
  const toldAt = new Map<string, number>();
  return (error) => {
    const state = sqlState(error) ?? error.name;
    const now = performance.now();
    if (now - (toldAt.get(state) ?? -Infinity) < tellAgainAfterMs) return;
    toldAt.set(state, now);
    tell(error);
  };
}

function refusedToWrite({ outdated, watch, tell }: Way, error: Error): void {
  outdated.begin();
  watch?.takesNoWrites(error);
  tell(error);
}

interface Way {
  pool: Pool;
  watch: ServerWatch | undefined;
  outdated: Outdated;
  tell: (error: Error) => void;
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

function watchOf(options: PoolOptions, outdated: Outdated): ServerWatch {
  const config = {
    ...clientConfig(options),
    connectionTimeoutMillis: watchTimeoutMs,
    query_timeout: watchTimeoutMs,
  };
  return new ServerWatch({
    createClient: () => withoutCrash(new Client(config)),
    onWritableAgain: () => outdated.begin(),
  });
}

async function inTransaction<Result>(
  client: PoolClient,
  way: Way,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result> {
  const attempt = (statement: Statement | string, values?: readonly unknown[]) =>
    run(client, way, statement, values).catch((error: unknown) => {
      // Whatever broke before COMMIT was sent is rolled back by the server.
      throw isGone(error) || isUnwell(error) ? new DatabaseUnavailable(false, error) : error;
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

/** The outdated ones on the way to it make room for new ones; there are no more than the pool holds. */
async function connect({ pool, outdated }: Way): Promise<PoolClient> {
  for (;;) {
    const client = await pool.connect();
    if (!outdated.has(client)) return client;
    client.release(true);
  }
}

async function acquire(way: Way): Promise<PoolClient> {
  const { watch, patienceMs } = way;
  if (!watch) return connect(way).catch(unavailable);
  if (watch.awayBecause) return unavailable(watch.awayBecause);
  const connecting = connect(way);
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
  way: Way,
  statement: Statement | string,
  values?: readonly unknown[],
): Promise<QueryOutcome<Row>> {
  const { watch, patienceMs } = way;
  const query = typeof statement === 'string' ? { text: statement } : statement;
  const parameters = values as unknown[] | undefined;
  const config = { ...query, values: parameters, query_timeout: patienceMs };
  const asking = client.query(config);
  const isWatched = watch && patienceMs === undefined;
  try {
    const { rows, rowCount } = await (isWatched ? watch.during(asking) : asking);
    return { rows: rows as Row[], rowCount: rowCount ?? 0 };
  } catch (error) {
    if (isReadOnly(error)) refusedToWrite(way, error as Error);
    else if (isUnwell(error)) way.tell(error as Error);
    throw error;
  }
}

function asUnavailable(error: unknown): unknown {
  if (isUnwell(error)) return new DatabaseUnavailable(false, error);
  return isGone(error) ? new DatabaseUnavailable(true, error) : error;
}
