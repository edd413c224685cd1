import { Client, Pool } from 'pg';
import type { ClientBase, ClientConfig } from 'pg';
import { DatabaseReadOnly, DatabaseUnavailable, sqlState } from './database-errors.js';
import { OutdatedConnections } from './outdated-connections.js';
import { askWhetherReadOnly, saysReadOnly, ServerWatch } from './server-watch.js';
import { refusedToWrite, transactional } from './transactional.js';
import type { Transactional } from './transactional.js';
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
   * that serve requests, because a caller waits for the answer. Other users of the pool ask `patient`.
   */
  refusesWhileAway?: boolean;
  /** Called when an idle connection breaks; the pool replaces it. */
  onIdleError?: (error: Error) => void;
  /**
   * Called when the server refuses work because of its own state: read-only, no disk, a held lock.
   * Callers get only "unavailable", so this logs the reason, now and then for each.
   */
  onUnwell?: (error: Error) => void;
}

export interface DatabasePool extends Transactional {
  /**
   * The same connections for consumers and jobs, which have no waiting caller: what has been sent is not
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
/** Between two reports of one reason: a server that refuses does so many times a second. */
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

/** A connection outside the pool, for LISTEN or a session lock. The caller connects and ends it. */
export function createClient(options: ConnectionOptions): Client {
  return withoutCrash(new Client(clientConfig(options)));
}

/**
 * A connection that breaks during a statement fails the statement. It also emits `error`, which
 * ends the process unless a listener is there.
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
  const outdated = new OutdatedConnections();
  pool.on('connect', (client) => outdated.opened(withoutCrash(client)));
  let ending = false;
  pool.on('error', (error) => {
    // A server that stops while our goodbye is on its way is no news.
    if (!ending) options.onIdleError?.(error);
  });
  const watch = options.refusesWhileAway ? watchOf(options, outdated) : undefined;
  const source = { pool, watch, outdated, tell: rarely(options.onUnwell) };
  const atOnce = transactional(source);

  return {
    ...atOnce,
    patient: transactional({ ...source, patienceMs: patienceOf(options) }),
    async look() {
      const { rows } = await atOnce.query(askWhetherReadOnly);
      if (!saysReadOnly(rows)) return;
      const readOnly = new DatabaseReadOnly();
      refusedToWrite(source, readOnly);
      throw new DatabaseUnavailable(false, readOnly);
    },
    end() {
      ending = true;
      watch?.close();
      return pool.end();
    },
  };
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

/** By then the server itself has ended the statement, or it, or the way to it, is gone for good. */
function patienceOf({ statementTimeoutMs = defaultStatementTimeoutMs }: PoolOptions): number {
  return statementTimeoutMs + graceMs;
}

function watchOf(options: PoolOptions, outdated: OutdatedConnections): ServerWatch {
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
