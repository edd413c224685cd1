import 'reflect-metadata';
import type { Server } from 'node:http';
import type { INestApplication, INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { isTracing, type Logger } from '@watchword/observability';
import type { Platform, ServiceDefinition } from '@watchword/platform';
import { explain, publicPlace } from './listening-address.js';
import { giveLastAnswers } from './last-answers.js';
import type { ListeningAddress } from './listening-address.js';
import { acceptProxyLines } from './proxy-protocol.js';
import { traceRequests } from './tracing/trace-requests.js';

/** The module that Nest wants at the root; all it does is in its imports. */
const root = class Host {};

export interface NestHost {
  /** Ends what the services do, and stops listening. */
  close(): Promise<void>;
}

/**
 * Boots the services as modules of one Nest application and, with one of them that has an edge
 * among them, starts to listen. In between, when they can already call each other, `prepare` has
 * its turn: whoever finds the port open finds everything in its place.
 */
export async function startNest(
  services: readonly (readonly [ServiceDefinition, Platform])[],
  address: ListeningAddress,
  logger: Logger,
  prepare: () => Promise<void>,
): Promise<NestHost> {
  const modules = services.map(([{ module }, platform]) => module(platform));
  const host = { module: root, imports: modules };
  const options = { logger: nestLogger(logger), abortOnError: false };
  const [facing, platform] = services.find(([{ edge }]) => edge !== undefined) ?? [];
  if (!facing?.edge || !platform) {
    const context = await NestFactory.createApplicationContext(host, options);
    await prepare();
    return context;
  }
  const { createAdapter, configure } = facing.edge;
  const application = await NestFactory.create(host, createAdapter(), options);
  configure(application, platform);
  if (platform.config.proxyProtocol === 'accept') acceptProxyLines(application.getHttpServer());
  if (isTracing()) traceRequests(application);
  await startListening(application, address, prepare);
  return { close: () => closeHttp(application) };
}

const IDLE_CHECK_MS = 50;

/**
 * A server that closes waits for every connection, and one that was answering when the closing began stays open
 * for as long as its client likes: it is closed as soon as it has been answered.
 */
async function closeHttp(application: INestApplication): Promise<void> {
  const server = application.getHttpServer() as Server;
  await giveLastAnswers(server);
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  try {
    await application.close();
  } finally {
    clearInterval(idle);
  }
}

async function startListening(
  application: INestApplication,
  { host, port }: ListeningAddress,
  prepare: () => Promise<void>,
): Promise<void> {
  try {
    await application.init();
    await prepare();
    // Only of this: what `prepare` and the services cannot reach is no matter of HOST and PORT.
    await application.listen(port, host).catch((error: NodeJS.ErrnoException) => {
      throw explain(error, publicPlace(host, port));
    });
  } catch (error) {
    await (application as INestApplicationContext).close();
    throw error;
  }
}

/** What Nest says about its routes and modules interests nobody who runs the program. */
function nestLogger(logger: Logger): LoggerService {
  return {
    log: (message: unknown) => logger.debug(String(message)),
    warn: (message: unknown) => logger.warn(String(message)),
    error: (message: unknown, stack?: unknown) => logger.error({ stack }, String(message)),
    fatal: (message: unknown, stack?: unknown) => logger.fatal({ stack }, String(message)),
  };
}
