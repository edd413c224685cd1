import 'reflect-metadata';
import type { Server } from 'node:http';
import type {
  INestApplication,
  INestApplicationContext,
  INestMicroservice,
  LoggerService,
  NestApplicationOptions,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { isTracing, type Logger } from '@watchword/observability';
import { type Platform, type ServiceDefinition, ServiceTransport } from '@watchword/platform';
import { explain, publicPlace } from './listening-address.js';
import { LastAnswers } from './last-answers.js';
import type { ListeningAddress } from './listening-address.js';
import { acceptProxyLines } from './proxy-protocol.js';
import { traceRequests } from './tracing/trace-requests.js';

export interface NestHost {
  /** Ends the services' work and stops listening. */
  close(): Promise<void>;
}

type Hosted = readonly [ServiceDefinition, Platform];

/**
 * Starts each service as its own Nest application. The one with an HTTP edge comes last, because it
 * calls the others at its start, and stops first. `prepare` runs when the services can call each
 * other, before the port is open.
 */
export async function startNest(
  services: readonly Hosted[],
  address: ListeningAddress,
  logger: Logger,
  prepare: () => Promise<void>,
): Promise<NestHost> {
  const options = { logger: nestLogger(logger), abortOnError: false };
  const facing = services.find(([{ edge }]) => edge !== undefined);
  const inner = await Promise.all(
    services
      .filter((service) => service !== facing)
      .map(([{ module }, platform]) => startInner(module(platform), options)),
  );
  const application = await openEdge(facing, options);
  const lastAnswers = application && new LastAnswers(application.getHttpServer() as Server);
  if (application === undefined) await prepare();
  else await startListening(application, address, prepare);
  return {
    async close() {
      if (application && lastAnswers) await closeHttp(application, lastAnswers);
      await Promise.all(inner.map((context) => context.close()));
    },
  };
}

/** Starts a service that only other services reach. */
async function startInner(
  module: ReturnType<ServiceDefinition['module']>,
  options: NestApplicationOptions,
): Promise<INestMicroservice> {
  const application = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(module, {
    ...options,
    useFactory: (strategy: ServiceTransport) => ({ strategy }),
    inject: [ServiceTransport],
  });
  await application.listen();
  return application;
}

async function openEdge(
  facing: Hosted | undefined,
  options: NestApplicationOptions,
): Promise<INestApplication | undefined> {
  const [service, platform] = facing ?? [];
  if (!service?.edge || !platform) return undefined;
  const { createAdapter, configure } = service.edge;
  const application = await NestFactory.create(service.module(platform), createAdapter(), options);
  configure(application, platform);
  if (platform.config.proxyProtocol === 'accept') acceptProxyLines(application.getHttpServer());
  if (isTracing()) traceRequests(application);
  return application;
}

const IDLE_CHECK_MS = 50;

/**
 * Closes the HTTP server. A closing server waits for every connection, and one that was answering
 * stays open as long as its client likes. So it is closed after its answer.
 */
async function closeHttp(application: INestApplication, lastAnswers: LastAnswers): Promise<void> {
  const server = application.getHttpServer() as Server;
  await lastAnswers.give();
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
    // Only for this: failures of `prepare` and of the services have nothing to do with HOST and
    // PORT.
    await application.listen(port, host).catch((error: NodeJS.ErrnoException) => {
      throw explain(error, publicPlace(host, port));
    });
  } catch (error) {
    await (application as INestApplicationContext).close();
    throw error;
  }
}

/** Nest's lines about routes and modules become debug lines, because operators do not need them. */
function nestLogger(logger: Logger): LoggerService {
  return {
    log: (message: unknown) => logger.debug(String(message)),
    warn: (message: unknown) => logger.warn(String(message)),
    error: (message: unknown, stack?: unknown) => logger.error({ stack }, String(message)),
    fatal: (message: unknown, stack?: unknown) => logger.fatal({ stack }, String(message)),
  };
}
