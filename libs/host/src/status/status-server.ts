import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Config, ServiceName } from '@watchword/config';
import {
  ASK_TIMEOUT_MS,
  type Logger,
  answerInTime,
  metricsType,
  renderMetrics,
} from '@watchword/observability';
import type { SchemaState, ServiceDatabase } from '@watchword/postgres';
import type { HostBus } from '../adapters/host-bus.js';
import type { HostRpc } from '../adapters/host-rpc.js';
import { explain, internalPlace } from '../listening-address.js';
import { measureBus, measureDependencies } from './measurements.js';

export interface StatusOptions {
  config: Pick<Config, 'metricsPort' | 'internalHost'>;
  databases: ReadonlyMap<ServiceName, { readonly pool: Pick<ServiceDatabase['pool'], 'check'> }>;
  hostBus: Pick<HostBus, 'check' | 'lag' | 'backlogs'>;
  rpc: Pick<HostRpc, 'reachable'>;
  schemas: readonly SchemaState[];
  dependencies: ReadonlyMap<string, () => boolean>;
  logger: Logger;
  /** Milliseconds for which a check may take. Specs set their own. */
  checkTimeoutMs?: number;
}

export interface StatusServer {
  /** Reports not ready from now on, so that balancers send no more work. */
  leaving(): void;
  close(): Promise<void>;
}

const ASKING_METHODS = ['GET', 'HEAD'];

/**
 * Serves `/health` (the process lives, or is leaving), `/ready` (it can do its own work) and
 * `/metrics` (Prometheus) on their own port, which the internet never reaches.
 *
 * Only a failing database makes a service not ready. An unavailable service, bus or Redis is shown,
 * but is no reason to take all replicas out of service.
 */
export async function startStatusServer(options: StatusOptions): Promise<StatusServer> {
  let isLeaving = false;
  const checks = checksOf(options);
  const ready = async () => {
    const [own, bus, lag] = await Promise.all([checks.databases(), checks.bus(), checks.lag()]);
    const isReady = !isLeaving && Object.values(own).every(Boolean);
    const status = isLeaving ? 'leaving' : isReady ? 'ready' : 'unavailable';
    const others = { bus, ...othersOf(options) };
    return { isReady, body: { status, migrations: migrationsOf(options), own, others, lag } };
  };
  const routes: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/health': async (response) => answer(response, 200, { status: isLeaving ? 'leaving' : 'ok' }),
    '/ready': async (response) => {
      const { isReady, body } = await ready();
      answer(response, isReady ? 200 : 503, body);
    },
    '/metrics': async (response) => {
      response.writeHead(200, { 'content-type': metricsType }).end(await renderMetrics());
    },
  };
  const server = createServer((request: IncomingMessage, response) => {
    const route = routes[request.url?.split('?')[0] ?? ''];
    if (!route) return answer(response, 404, { status: 'not found' });
    if (!ASKING_METHODS.includes(request.method ?? '')) {
      response.setHeader('allow', ASKING_METHODS.join(', '));
      return answer(response, 405, { status: 'method not allowed' });
    }
    route(response).catch((error: unknown) => {
      options.logger.warn({ err: error }, 'status unavailable');
      if (!response.headersSent) answer(response, 500, { status: 'unknown' });
    });
  });
  const endings = [
    measureBus(options.hostBus),
    measureDependencies(async () => {
      const [own, bus] = await Promise.all([checks.databases(), checks.bus()]);
      return { database: Object.values(own).every(Boolean), bus, ...othersOf(options) };
    }),
  ];
  const { config } = options;
  const { metricsPort, internalHost } = config;
  if (metricsPort > 0) {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(metricsPort, internalHost, resolve);
    }).catch((error: NodeJS.ErrnoException) => {
      throw explain(error, internalPlace(config, 'METRICS_PORT', metricsPort));
    });
  }
  return {
    leaving: () => void (isLeaving = true),
    async close() {
      endings.forEach((end) => end());
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns checks that answer within the time of a scrape, even when something hangs. */
function checksOf({ databases, hostBus, checkTimeoutMs = ASK_TIMEOUT_MS }: StatusOptions) {
  const checkDatabases = [...databases].map(([service, { pool }]) => {
    const check = answerInTime(checkTimeoutMs, () => pool.check().then(() => true));
    return async () => [`database of ${service}`, (await check()) === true] as const;
  });
  const checkBus = answerInTime(checkTimeoutMs, () => hostBus.check().then(() => true));
  const lagOfBus = answerInTime(checkTimeoutMs, () => hostBus.lag());
  return {
    databases: async (): Promise<Record<string, boolean>> =>
      Object.fromEntries(await Promise.all(checkDatabases.map((check) => check()))),
    bus: async () => (await checkBus()) ?? false,
    lag: async () => (await lagOfBus()) ?? 'unknown',
  };
}

function othersOf({ dependencies, rpc }: StatusOptions): Record<string, boolean> {
  const needed = [...dependencies].map(([name, isThere]) => [name, isThere()] as const);
  return { ...Object.fromEntries(needed), ...rpc.reachable() };
}

/**
 * Returns the migrations of each schema, and how many this start ran. The server listens only after
 * all have run.
 */
function migrationsOf({ schemas }: StatusOptions): Record<string, Omit<SchemaState, 'schema'>> {
  return Object.fromEntries(schemas.map(({ schema, at, ran }) => [schema, { at, ran }]));
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(text);
}
