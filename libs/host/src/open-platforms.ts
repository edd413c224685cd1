import { type Config, hasOwnRole, type ServiceName } from '@watchword/config';
import { systemClock } from '@watchword/contracts';
import { type Logger, loggerOf } from '@watchword/observability';
import type { Platform, ServiceDefinition } from '@watchword/platform';
import type { SchemaState, ServiceDatabase } from '@watchword/postgres';
import { type HostBus, openBus } from './adapters/host-bus.js';
import { HostRpc } from './adapters/host-rpc.js';
import type { Closers } from './closers.js';
import {
  databaseAccess,
  inspectDatabase,
  openServiceDatabases,
  prepareDatabase,
} from './database/service-databases.js';

export interface PlatformEnvironment {
  config: Config;
  /**
   * URL of a user that may create roles and schemas, or of the role of the one service that runs
   * here.
   */
  adminUrl: string;
  logger: Logger;
  closers: Closers;
  /** All services that this host knows. Those that the settings name get a platform. */
  definitions: readonly ServiceDefinition[];
  /** Called when something that the services need has failed and cannot recover. */
  onFailure: (error: Error) => void;
}

export type Platforms = ReadonlyMap<ServiceName, Platform>;

export interface OpenedPlatforms {
  platforms: Platforms;
  databases: ReadonlyMap<ServiceName, ServiceDatabase>;
  hostBus: HostBus;
  rpc: HostRpc;
  /** The services' schemas after the start. */
  schemas: readonly SchemaState[];
  /** Whether dependencies that services can do without are available, by name. */
  dependencies: ReadonlyMap<string, () => boolean>;
}

/** Opens the platforms. The settings alone choose the adapters; services see no difference. */
export async function openPlatforms(environment: PlatformEnvironment): Promise<OpenedPlatforms> {
  const { config, logger, closers, definitions, onFailure } = environment;
  const url = environment.adminUrl;
  const access = databaseAccess(url, config);
  const services = definitions.filter(({ name }) => config.services.includes(name));
  const [only] = services;
  const schemas =
    only && hasOwnRole(config)
      ? await inspectDatabase(url, config, only)
      : await prepareDatabase(url, config, definitions, logger);
  const databases = openServiceDatabases(access, services, logger);
  for (const database of databases.values()) closers.add({ close: () => database.close() });
  const hostBus = await openBus({ config, access, services, logger, onFailure });
  closers.add({ close: () => hostBus.close() });
  const rpc = new HostRpc(config, logger);
  closers.add({ close: () => rpc.close() });
  const dependencies = new Map<string, () => boolean>();
  const platformOf = ({ name }: ServiceDefinition): Platform => ({
    config,
    database: databases.get(name)!,
    bus: hostBus.bus,
    deadLetters: hostBus.deadLetters,
    inProcessQueue: hostBus.inProcessQueueOf(name),
    rpc,
    logger: loggerOf(name, logger),
    clock: systemClock,
    graceMs: () => closers.graceMs(),
    showDependency: (dependency, isThere) => void dependencies.set(dependency, isThere),
  });
  const platforms = new Map(services.map((service) => [service.name, platformOf(service)]));
  return { platforms, databases, hostBus, rpc, schemas, dependencies };
}
