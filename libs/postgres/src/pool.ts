import { Client, Pool } from 'pg';
import type { ClientBase, ClientConfig } from 'pg';
import { DatabaseReadOnly, DatabaseUnavailable, sqlState } from './database-errors.js';
import { OutdatedConnections } from './outdated-connections.js';
import { ASK_WHETHER_READ_ONLY, saysReadOnly, ServerWatch } from './server-watch.js';
import { refusedToWrite, transactional } from './transactional.js';
import type { Transactional } from './transactional.js';
import { typeParsers } from './type-parsers.js';
import { WarmConnections } from './warm-connections.js';

export interface ConnectionOptions {
  url: string;
  /** Name shown in pg_stat_activity. */
  applicationName: string;
  /** The only schema on the search path. */
  schema?: string;
  statementTimeoutMs?: number;
  /** Milliseconds. For a client the default is none. */
  connectTimeoutMs?: number;
}

export interface ClientOptions extends ConnectionOptions {
  /** Milliseconds until a statement is abandoned. Its server may have vanished. */
  answerTimeoutMs?: number;
}

export interface PoolOptions extends ConnectionOptions {
  max: number;
  /**
   * Whether callers are refused at once while the server is unavailable or hangs; see
   * `ServerWatch`. For pools that serve requests, whose callers wait. Other users of the pool use
   * `patient`.
   */
  refusesWhileAway?: boolean;
  /** Called when an idle connection breaks. The pool replaces it. */
  onIdleError?: (error: Error) => void;
  /**
   * Called when the server refuses work because of its own state: read-only, no disk, a held lock.
   * Callers get only "unavailable", so this logs the reason, from time to time for each.
   */
  onUnwell?: (error: Error) => void;
}

export interface DatabasePool extends Transactional {
  /**
   * The same connections for consumers and jobs, which have no waiting caller. A sent statement is
   * not abandoned while the server may still answer it, because it may commit. Only new work is
   * refused while the server is unavailable.
   */
  readonly patient: Transactional;
  /** Rejects while the server is unavailable or takes no writes. */
  look(): Promise<void>;
  end(): Promise<void>;
}

const DEFAULT_STATEMENT_TIMEOUT_MS = 10_000;
const DEFAULT_CONNECT_TIMEOUT_MS = 3_000;
/** Milliseconds between two reports of one reason. A server refuses many times a second. */
const TELL_AGAIN_AFTER_MS = 10_000;
/** Milliseconds for an answer that is on its way at the time-out. */
const GRACE_MS = 5_000;
/** Milliseconds after which the kernel asks whether the host of an idle connection is there. Its own is two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;
/**
 * Milliseconds for the watch's connection. A server that comes back sooner answers the running try.
 */
const WATCH_TIMEOUT_MS = 2_000;

/** Settings travel in the start-up packet, so a new connection needs no extra round trip. */
function clientConfig(options: ConnectionOptions): ClientConfig {
  const statementTimeoutMs = options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS;
  const settings = [
    `-c statement_timeout=${statementTimeoutMs}`,
    `-c idle_in_transaction_session_timeout=${statementTimeoutMs}`,
    '-c timezone=UTC',
  ];
  if (options.schema !== undefined) settings.push(`-c search_path=${options.schema}`);
  return {
    connectionString: options.url,
    application_name: options.applicationName,
    options: settings.join(' '),
    types: typeParsers,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  };
}

/**
 * Creates a connection outside the pool, for LISTEN or a session lock. The caller connects and ends
 * it.
 */
export function createClient(options: ClientOptions): Client {
  const config = {
    ...clientConfig(options),
    connectionTimeoutMillis: options.connectTimeoutMs,
    query_timeout: options.answerTimeoutMs,
  };
  return withoutCrash(new Client(config));
}

/**
 * A connection that breaks during a statement fails the statement. It also emits `error`, which
 * ends the process without a listener.
 */
function withoutCrash<Client extends ClientBase>(client: Client): Client {
  return client.on('error', () => undefined);
}

export function createPool(options: PoolOptions): DatabasePool {
  const pool = new Pool({
    ...clientConfig(options),
    max: options.max,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
  });
  const outdated = new OutdatedConnections();
  let ending = false;
  const onIdleError = (error: Error) => {
    // A server that stops while the connection ends needs no report.
    if (!ending) options.onIdleError?.(error);
  };
  pool.on('error', onIdleError);
  const warm = new WarmConnections(pool, onIdleError);
  pool.on('connect', (client) => {
    outdated.opened(withoutCrash(client));
    warm.opened(client);
  });
  const watch = options.refusesWhileAway ? watchOf(options, outdated) : undefined;
  const source = { pool, warm, watch, outdated, tell: rarely(options.onUnwell) };
  const patient = transactional({ ...source, patienceMs: patienceOf(options) });
  const atOnce = watch ? transactional(source) : patient;

  return {
    ...atOnce,
    patient,
    async look() {
      const { rows } = await atOnce.query(ASK_WHETHER_READ_ONLY);
      if (!saysReadOnly(rows)) return;
      const readOnly = new DatabaseReadOnly();
      refusedToWrite(source, readOnly);
      throw new DatabaseUnavailable(false, readOnly);
    },
    end() {
      ending = true;
      watch?.close();
      warm.close();
      return pool.end();
    },
  };
}

/** Reports each state once, then not again for a while. */
function rarely(tell: (error: Error) => void = () => undefined): (error: Error) => void {
  const toldAt = new Map<string, number>();
  return (error) => {
    const state = sqlState(error) ?? error.name;
    const now = performance.now();
    if (now - (toldAt.get(state) ?? -Infinity) < TELL_AGAIN_AFTER_MS) return;
    toldAt.set(state, now);
    tell(error);
  };
}

/** Milliseconds after which the server itself has ended the statement, or is gone. */
function patienceOf({ statementTimeoutMs = DEFAULT_STATEMENT_TIMEOUT_MS }: PoolOptions) {
  // 0 means no time-out.
  return statementTimeoutMs === 0 ? undefined : statementTimeoutMs + GRACE_MS;
}

function watchOf(options: PoolOptions, outdated: OutdatedConnections): ServerWatch {
  const config = {
    ...clientConfig(options),
    connectionTimeoutMillis: WATCH_TIMEOUT_MS,
    query_timeout: WATCH_TIMEOUT_MS,
  };
  return new ServerWatch({
    createClient: () => withoutCrash(new Client(config)),
    onWritableAgain: () => outdated.begin(),
  });
}
