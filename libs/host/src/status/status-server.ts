import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Config, ServiceName } from '@watchword/config';
import { type Logger, metricsType, renderMetrics } from '@watchword/observability';
import type { ServiceDatabase } from '@watchword/postgres';
import type { HostBus } from '../adapters/host-bus.js';
import type { HostRpc } from '../adapters/host-rpc.js';
import { noteOldestWaiting, noteWaiting } from './measurements.js';

export interface StatusOptions {
  config: Config;
  databases: ReadonlyMap<ServiceName, ServiceDatabase>;
  hostBus: HostBus;
  rpc: HostRpc;
  logger: Logger;
}

export interface StatusServer {
  /** Not ready from now on, so that nobody sends more work. */
  leaving(): void;
  close(): Promise<void>;
}

/** What a look at a dependency may take; orchestrators ask again soon. */
const lookPatienceMs = 1_000;

/**
 * `/health`: the process lives. `/ready`: it can do its own work. `/metrics`: for Prometheus. They
 * have a port of their own, which the internet never reaches.
 *
 * Only what a service cannot do anything without makes it not ready: its database. That another
 * service or the bus is away is shown, and no reason to take all replicas out of service.
 */
export async function startStatusServer(options: StatusOptions): Promise<StatusServer> {
  const { config, databases, hostBus, rpc } = options;
  let isLeaving = false;
  const ready = async () => {
    const looks = [...databases].map(async ([service, { pool }]) => {
      const found = await within(lookPatienceMs, pool.query('SELECT 1'));
      return [`database of ${service}`, found !== false] as const;
    });
    const own = Object.fromEntries(await Promise.all(looks));
    const others = { bus: hostBus.ready(), ...rpc.reachable() };
    const isReady = !isLeaving && Object.values(own).every(Boolean);
    const status = isLeaving ? 'leaving' : isReady ? 'ready' : 'unavailable';
    // It listens only when the migrations have run.
    return {
      isReady,
      body: { status, migrations: 'done', own, others, lag: await lagOf(hostBus) },
    };
  };
  const routes: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/health': async (response) => answer(response, 200, { status: 'ok' }),
    '/ready': async (response) => {
      const { isReady, body } = await ready();
      answer(response, isReady ? 200 : 503, body);
    },
    '/metrics': async (response) => {
      await noteLag(hostBus);
      response.writeHead(200, { 'content-type': metricsType }).end(await renderMetrics());
    },
  };
  const server = createServer((request: IncomingMessage, response) => {
    const route = routes[request.url?.split('?')[0] ?? ''];
    if (!route || request.method !== 'GET') return answer(response, 404, { status: 'not found' });
    route(response).catch((error: unknown) => {
      options.logger.warn({ err: error }, 'the status could not be told');
      if (!response.headersSent) answer(response, 500, { status: 'unknown' });
    });
  });
  const { metricsPort, internalHost } = config;
  if (metricsPort > 0) {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(metricsPort, internalHost, resolve);
    });
  }
  return {
    leaving: () => void (isLeaving = true),
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function lagOf(hostBus: HostBus) {
  return (await within(lookPatienceMs, hostBus.lag())) || 'unknown';
}

async function noteLag(hostBus: HostBus): Promise<void> {
  const readings = await within(lookPatienceMs, hostBus.lag());
  for (const { topic, group, waiting: count, oldestSeconds } of readings || []) {
    noteWaiting({ topic, group }, count);
    noteOldestWaiting({ topic, group }, oldestSeconds);
  }
}

/** The result, or false when it fails or takes too long. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | false> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([work.catch(() => false as const), late]);
  } finally {
    clearTimeout(timer);
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(text);
}
