import type { Config, ServiceName } from '@watchword/config';
import { systemClock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Platform, ServiceDefinition } from '@watchword/platform';
import { openBus } from './adapters/host-bus.js';
import { HostRpc } from './adapters/host-rpc.js';
import type { Closers } from './closers.js';
import {
  databaseAccess,
  migrateServices,
  openServiceDatabases,
} from './database/service-databases.js';
import type { ListeningAddress } from './listening-address.js';
import { startNest } from './nest-host.js';
import { startStatusServer } from './status/status-server.js';

export type Platforms = ReadonlyMap<ServiceName, Platform>;

export interface Ground {
  config: Config;
  /** A user that may create roles and schemas. */
  adminUrl: string;
  address: ListeningAddress;
  logger: Logger;
  closers: Closers;
  /** All that this host knows; those that the settings name are started. */
  definitions: readonly ServiceDefinition[];
  /** Something without which the services cannot go on has gone. */
  onFailure: (error: Error) => void;
  /** Runs when the services can call each other and before anybody can call them. */
  prepare?: (platforms: Platforms) => Promise<void>;
}

/**
 * From a running database to listening services. Which adapters they stand on follows from the
 * settings alone: the services cannot tell.
 */
export async function startServices(ground: Ground): Promise<void> {
  const { config, address, logger, closers, definitions, onFailure } = ground;
  const access = databaseAccess(ground.adminUrl, config);
  const services = definitions.filter(({ name }) => config.services.includes(name));
  await migrateServices(access, config, definitions, logger);
  const databases = await openServiceDatabases(access, config, services, logger);
  for (const database of databases.values()) closers.add({ close: () => database.close() });
  const hostBus = await openBus({ config, access, services, logger, onFailure });
  closers.add({ close: () => hostBus.close() });
  const rpc = new HostRpc(config, logger);
  closers.add({ close: () => rpc.close() });
  const platformOf = ({ name }: ServiceDefinition): Platform => ({
    config,
    database: databases.get(name)!,
    bus: hostBus.bus,
    rpc,
    logger: logger.child({ service: name }),
    clock: systemClock,
  });
  const platforms = services.map((service) => [service, platformOf(service)] as const);
  const prepare = async () => {
    await ground.prepare?.(new Map(platforms.map(([{ name }, platform]) => [name, platform])));
    await rpc.listen();
  };
  const nest = await startNest(platforms, address, logger, prepare);
  const status = await startStatusServer({ config, databases, hostBus, rpc, logger });
  closers.add({ close: () => status.close() });
  closers.add({
    async close() {
      status.leaving();
      await Promise.all([rpc.leave(), nest.close()]);
    },
  });
}
