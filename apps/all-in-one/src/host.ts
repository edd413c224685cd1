import 'reflect-metadata';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { configureHttp, createHttpAdapter } from '@watchword/gateway';
import type { Logger } from '@watchword/observability';
import type { Platform, ServiceDefinition } from '@watchword/platform';
import type { Closer } from './closers.js';
import type { Platforms } from './installation.js';
import { explain } from './listening-address.js';
import type { ListeningAddress } from './listening-address.js';

/** The module that Nest wants at the root; all it does is in its imports. */
const root = class Host {};

/**
 * Boots the services as modules of one Nest application and, with the gateway among them, starts to
 * listen. In between, when they can already call each other, `prepare` has its turn: whoever finds
 * the port open finds everything in its place.
 */
export async function startHost(
  definitions: readonly ServiceDefinition[],
  platforms: Platforms,
  address: ListeningAddress,
  logger: Logger,
  prepare: () => Promise<void>,
): Promise<Closer> {
  const modules = definitions.map(({ name, module }) => module(platforms.get(name)!));
  const host = { module: root, imports: modules };
  const options = { logger: nestLogger(logger), abortOnError: false };
  const gateway = platforms.get('gateway');
  if (!gateway) return closing(await NestFactory.createApplicationContext(host, options));
  const adapter = createHttpAdapter();
  const application = await NestFactory.create<NestFastifyApplication>(host, adapter, options);
  try {
    await listen(application, gateway, address, prepare);
  } catch (error) {
    await application.close();
    throw explain(error as NodeJS.ErrnoException, address.host, address.port);
  }
  return closing(application);
}

async function listen(
  application: NestFastifyApplication,
  gateway: Platform,
  address: ListeningAddress,
  prepare: () => Promise<void>,
): Promise<void> {
  configureHttp(application, gateway);
  await application.init();
  await prepare();
  await application.listen(address.port, address.host);
}

function closing(application: INestApplicationContext): Closer {
  return { close: () => application.close() };
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
