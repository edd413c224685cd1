import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceName } from '@watchword/config';
import type { Platform, ServiceDefinition } from '@watchword/platform';
import type { Closer } from './closers.js';
import { explain } from './listening-address.js';
import type { ListeningAddress } from './listening-address.js';

class Host {}

/**
 * Boots the services as modules of one Nest application and starts to listen. In between, when they
 * can already call each other, `prepare` has its turn: whoever finds the port open finds all in
 * place.
 */
export async function startHost(
  definitions: readonly ServiceDefinition[],
  platforms: ReadonlyMap<ServiceName, Platform>,
  address: ListeningAddress,
  prepare: () => Promise<void>,
): Promise<Closer> {
  const modules = definitions.map((definition) => {
    const platform = platforms.get(definition.name);
    if (!platform) throw new Error(`there is no platform for ${definition.name}`);
    return definition.module(platform);
  });
  const application = await NestFactory.create<NestFastifyApplication>(
    { module: Host, imports: modules },
    new FastifyAdapter({ forceCloseConnections: 'idle' }),
    { logger: ['fatal', 'error', 'warn'], abortOnError: false },
  );
  try {
    await application.init();
    await prepare();
    await application.listen(address.port, address.host);
  } catch (error) {
    await application.close();
    throw explain(error as NodeJS.ErrnoException, address.host, address.port);
  }
  return { close: () => application.close() };
}
