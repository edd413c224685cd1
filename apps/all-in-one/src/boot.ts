import { join } from 'node:path';
import { PostgresBus } from '@watchword/bus';
import type { Config, ServiceName } from '@watchword/config';
import { systemClock } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import type { Logger } from '@watchword/observability';
import type { Platform, ServiceDefinition } from '@watchword/platform';
import { InProcessRpc } from '@watchword/rpc';
import { banner } from './banner.js';
import type { Closers } from './closers.js';
import { takeDataDirectory } from './data-directory/data-directory.js';
import { withSecrets } from './data-directory/secrets.js';
import {
  databaseAccess,
  migrateServices,
  openServiceDatabases,
} from './database/service-databases.js';
import type { DatabaseAccess } from './database/service-databases.js';
import {
  credentialsFileName,
  demoOf,
  readCredentials,
  writeCredentials,
} from './demo/dev-credentials.js';
import { startCarrierSim, startPostgres, withSimulatedCarriers } from './embedded-ground.js';
import { startHost } from './host.js';
import { reserveAddress } from './listening-address.js';
import type { ListeningAddress } from './listening-address.js';
import type { DemoSeed } from './demo/demo-workspace.js';

type Platforms = ReadonlyMap<ServiceName, Platform>;

/** What is booted, apart from how. */
export interface Installation {
  definitions: readonly ServiceDefinition[];
  demoSeed?: DemoSeed<Platforms>;
}

export interface BootContext extends Installation {
  closers: Closers;
  /** One line for the person who waits. */
  say: (sentence: string) => void;
  /** Something without which the system cannot go on has gone. */
  onFailure: (error: Error) => void;
}

export interface BootedSystem {
  baseUrl: string;
  /** What to show when everything runs. */
  greeting: string;
}

/** From settings to a listening system. Whatever it starts it leaves with `closers`. */
export async function boot(config: Config, context: BootContext): Promise<BootedSystem> {
  const address = await reserveAddress(config);
  const logger = createLogger({ service: 'watchword', level: config.logLevel });
  return config.databaseUrl === ''
    ? bootEmbedded(config, address, logger, context)
    : bootAgainst(config, address, logger, context);
}

/** Everything of its own: database, secrets, carrier simulator, demo workspace. */
async function bootEmbedded(
  settings: Config,
  address: ListeningAddress,
  logger: Logger,
  context: BootContext,
): Promise<BootedSystem> {
  const { closers, say, onFailure } = context;
  const directory = await takeDataDirectory(settings.dataDir);
  closers.add({ close: async () => directory.release(), abort: () => directory.release() });
  const secured = await withSecrets(settings, directory.path);
  const kept = await readCredentials(directory.path);
  say('Starting PostgreSQL and the carrier simulator');
  const callbackBaseUrl = secured.callbackBaseUrl || address.baseUrl;
  const [postgres, simulator] = await all([
    startPostgres(directory.path, logger, closers, onFailure),
    startCarrierSim(secured, callbackBaseUrl, kept?.simulator_url, logger, closers),
  ]);
  const config = withSimulatedCarriers(
    { ...secured, callbackBaseUrl, allowLoopbackWebhooks: secured.allowLoopbackWebhooks ?? true },
    simulator.url,
  );
  const access = databaseAccess(postgres.url, config);
  const demo = kept ? demoOf(kept) : context.demoSeed?.draw();
  const addresses = { baseUrl: address.baseUrl, simulatorUrl: simulator.url };
  await startServices(config, access, address, logger, context, async (platforms) => {
    if (!demo) return;
    const { operatorToken } = config;
    await writeCredentials(directory.path, demo, { ...addresses, operatorToken });
    await context.demoSeed?.ensure(demo, platforms);
  });
  const credentialsFile = join(directory.path, credentialsFileName);
  const greeting = banner({ ...addresses, credentialsFile, testKey: demo?.testKey ?? '' });
  return { baseUrl: address.baseUrl, greeting };
}

/** One process of many, or one alone, on a PostgreSQL that others look after. */
async function bootAgainst(
  settings: Config,
  address: ListeningAddress,
  logger: Logger,
  context: BootContext,
): Promise<BootedSystem> {
  const callbackBaseUrl = settings.callbackBaseUrl || address.baseUrl;
  const config = { ...settings, callbackBaseUrl };
  const access = databaseAccess(config.databaseUrl, config);
  await startServices(config, access, address, logger, context, async () => {});
  return {
    baseUrl: address.baseUrl,
    greeting: `Watchword (${config.services.join(', ')}) is running at ${address.baseUrl}`,
  };
}

async function startServices(
  config: Config,
  access: DatabaseAccess,
  address: ListeningAddress,
  logger: Logger,
  { closers, say, definitions }: BootContext,
  prepare: (platforms: Platforms) => Promise<void>,
): Promise<void> {
  say('Bringing the database up to date');
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
  say('Starting the services');
  closers.add(await startHost(chosen, platforms, address, () => prepare(platforms)));
}

/**
 * Like Promise.all, but waits for all of them: what has been started must be known to be closed.
 */
async function all<Values extends readonly unknown[]>(
  work: readonly [...{ [Key in keyof Values]: Promise<Values[Key]> }],
): Promise<Values> {
  await Promise.allSettled(work);
  return Promise.all(work) as Promise<unknown> as Promise<Values>;
}
