import { PostgresBus } from '@watchword/bus';
import type { Config } from '@watchword/config';
import { systemClock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Platform, ServiceDefinition } from '@watchword/platform';
import { InProcessRpc } from '@watchword/rpc';
import type { Closers } from './closers.js';
import {
  databaseAccess,
  migrateServices,
  openServiceDatabases,
} from './database/service-databases.js';
import { startHost } from './host.js';
import type { Platforms } from './installation.js';
import type { ListeningAddress } from './listening-address.js';

export interface Ground {
  config: Config;
  /** A user that may create roles and schemas. */
  adminUrl: string;
  address: ListeningAddress;
  logger: Logger;
  closers: Closers;
  definitions: readonly ServiceDefinition[];
  /** Runs when the services can call each other and before anybody can call them. */
  prepare?: (platforms: Platforms) => Promise<void>;
}

/** From a running database to listening services. */
export async function startServices(ground: Ground): Promise<void> {
  const { config, address, logger, closers, definitions } = ground;
  const access = databaseAccess(ground.adminUrl, config);
  await migrateServices(access, config, definitions, logger);
  const chosen = definitions.filter(({ name }) => config.services.includes(name));
  const databases = await openServiceDatabases(access, config, chosen, logger);
  for (const database of databases.values()) closers.add({ close: () => database.close() });
  const bus = await PostgresBus.open({ url: access.urlOf('bus'), logger });
  closers.add({ close: () => bus.close() });
  const rpc = new InProcessRpc();
  const platformOf = ({ name }: ServiceDefinition): Platform => ({
    config,
    database: databases.get(name)!,
    bus,
    rpc,
    logger: logger.child({ service: name }),
    clock: systemClock,
  });
  const platforms = new Map(chosen.map((each) => [each.name, platformOf(each)] as const));
  const prepare = async () => ground.prepare?.(platforms);
  closers.add(await startHost(chosen, platforms, address, logger, prepare));
}
