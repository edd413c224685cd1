import { Client, Pool } from 'pg';
import type { ClientBase, ClientConfig } from 'pg';
import { sqlState } from './database-errors.js';
import { type ConnectionSource, refuseReadOnly, transactional } from './transactional.js';
import type { Transactional } from './transactional.js';
import { typeParsers } from './type-parsers.js';

export interface ConnectionOptions {
  url: string;
  /** Name shown in pg_stat_activity. */
  applicationName: string;
  /** The only schema on the search path. */
  schema?: string;
  /** Milliseconds after which the server ends a statement; 0 for none. Ten seconds by default. */
  statementTimeoutMs?: number;
  /** Milliseconds; in a pool also for a free connection. Ten seconds by default. */
  connectTimeoutMs?: number;
}

export interface ClientOptions extends ConnectionOptions {
  /** Milliseconds until a statement is abandoned. Its server may have vanished. */
  answerTimeoutMs?: number;
}

export interface PoolOptions extends ConnectionOptions {
  max: number;
  /**
   * Called with the reason when the database is unavailable or an idle connection breaks, from time
   * to time for each reason. Callers get only "unavailable", so this logs it.
   */
  onUnavailable?: (cause: Error) => void;
}

export interface DatabasePool extends Transactional {
  /** Rejects while the server is unavailable or takes no writes. */
  check(): Promise<void>;
  end(): Promise<void>;
}

const DEFAULT_STATEMENT_TIMEOUT_MS = 10_000;
const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
/**
 * Milliseconds after the statement time-out for the answer to arrive. A server that works has ended
 * the statement by then, so only one that hangs or has vanished needs longer.
 */
const GRACE_MS = 5_000;
/** Milliseconds between two reports of one reason. A server refuses many times a second. */
const REPORT_AGAIN_AFTER_MS = 10_000;
/** Milliseconds after which the kernel asks whether the host of an idle connection is there. Its own is two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;

/**
 * What changes how values are read and written. A database or role may set it otherwise. The encoding is the driver's.
 */
const PINNED = [
  'timezone=UTC',
  'datestyle=ISO',
  'intervalstyle=postgres',
  'bytea_output=hex',
  'extra_float_digits=1',
  'standard_conforming_strings=on',
  'array_nulls=on',
  'transform_null_equals=off',
];

/** Settings travel in the start-up packet, so a new connection needs no extra round trip. */
function clientConfig(options: ConnectionOptions): ClientConfig {
  const statementTimeoutMs = options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS;
  const settings = [
    `-c statement_timeout=${statementTimeoutMs}`,
    `-c idle_in_transaction_session_timeout=${statementTimeoutMs}`,
    ...PINNED.map((setting) => `-c ${setting}`),
  ];
  if (options.schema !== undefined) settings.push(`-c search_path=${options.schema}`);
  return {
    connectionString: options.url,
    application_name: options.applicationName,
    options: settings.join(' '),
    types: typeParsers,
    connectionTimeoutMillis: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  };
}

/**
 * Creates a connection outside the pool, for LISTEN or migrations. The caller connects and ends it.
 */
export function createClient(options: ClientOptions): Client {
  const config = { ...clientConfig(options), query_timeout: options.answerTimeoutMs };
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
  });
  let ending = false;
  const report = rarely(options.onUnavailable);
  const onUnavailable = (cause: unknown) => {
    // A server that stops while the pool ends needs no report.
    if (!ending) report(cause as Error);
  };
  pool.on('error', onUnavailable);
  pool.on('connect', withoutCrash);
  const source: ConnectionSource = {
    pool,
    onUnavailable,
    answerTimeoutMs: answerTimeoutOf(options),
  };
  return {
    ...transactional(source),
    check: () => refuseReadOnly(source),
    end() {
      ending = true;
      return pool.end();
    },
  };
}

/** Reports each reason once, then not again for a while. */
function rarely(report: (error: Error) => void = () => undefined): (error: Error) => void {
  const reportedAt = new Map<string, number>();
  return (error) => {
    const reason = sqlState(error) ?? (error as NodeJS.ErrnoException).code ?? error.message;
    const now = performance.now();
    if (now - (reportedAt.get(reason) ?? -Infinity) < REPORT_AGAIN_AFTER_MS) return;
    reportedAt.set(reason, now);
    report(error);
  };
}

function answerTimeoutOf({ statementTimeoutMs = DEFAULT_STATEMENT_TIMEOUT_MS }: PoolOptions) {
  // 0 means no time-out.
  return statementTimeoutMs === 0 ? undefined : statementTimeoutMs + GRACE_MS;
}
