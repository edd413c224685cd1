import { join } from 'node:path';
import type { Config } from '@watchword/config';
import { createLogger } from '@watchword/observability';
import type { Logger } from '@watchword/observability';
import { banner } from './banner.js';
import type { Closers } from './closers.js';
import { takeDataDirectory } from './data-directory/data-directory.js';
import { withSecrets } from './data-directory/secrets.js';
import {
  credentialsFileName,
  demoOf,
  readCredentials,
  writeCredentials,
} from './demo/dev-credentials.js';
import { startCarrierSim, startPostgres, withSimulatedCarriers } from './embedded-ground.js';
import type { Installation } from './installation.js';
import { reserveAddress } from './listening-address.js';
import type { ListeningAddress } from './listening-address.js';
import type { Ground } from './start-services.js';

export interface BootContext {
  closers: Closers;
  /** One line for the person who waits. */
  say: (sentence: string) => void;
  /** Something without which the system cannot go on has gone. */
  onFailure: (error: Error) => void;
  /**
   * Loads the services, which takes about as long as PostgreSQL needs to start: both go together.
   */
  load: () => Promise<{ installation: Installation }>;
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
  const { closers, say } = context;
  const directory = await takeDataDirectory(settings.dataDir);
  closers.add({ close: async () => directory.release(), abort: () => directory.release() });
  const secured = await withSecrets(settings, directory.path);
  const callbackBaseUrl = secured.callbackBaseUrl || address.baseUrl;
  const allowLoopbackWebhooks = secured.allowLoopbackWebhooks ?? true;
  const credentials = await readCredentials(directory.path);
  say('Starting PostgreSQL and the carrier simulator');
  const [postgres, simulator, { installation, startServices }] = await all([
    startPostgres(directory.path, logger, closers, context.onFailure),
    startCarrierSim(secured, callbackBaseUrl, credentials?.simulator_url, logger, closers),
    loadServices(context),
  ]);
  const config = withSimulatedCarriers(
    { ...secured, callbackBaseUrl, allowLoopbackWebhooks },
    simulator.url,
  );
  const { definitions, demoSeed } = installation;
  const demo = credentials ? demoOf(credentials) : demoSeed?.draw();
  const addresses = { baseUrl: address.baseUrl, simulatorUrl: simulator.url };
  say('Bringing the database up to date and starting the services');
  const prepare: Ground['prepare'] = async (platforms) => {
    const gateway = platforms.get('gateway');
    if (!demo || !gateway) return;
    const { operatorToken } = config;
    await writeCredentials(directory.path, demo, { ...addresses, operatorToken });
    await demoSeed?.ensure(demo, gateway);
  };
  const adminUrl = postgres.url;
  await startServices({ config, adminUrl, address, logger, closers, definitions, prepare });
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
  const { closers, say } = context;
  const config = { ...settings, callbackBaseUrl: settings.callbackBaseUrl || address.baseUrl };
  const { installation, startServices } = await loadServices(context);
  const { definitions } = installation;
  const adminUrl = config.databaseUrl;
  say('Bringing the database up to date and starting the services');
  await startServices({ config, adminUrl, address, logger, closers, definitions });
  const greeting = `Watchword (${config.services.join(', ')}) is running at ${address.baseUrl}`;
  return { baseUrl: address.baseUrl, greeting };
}

async function loadServices({ load }: BootContext) {
  const [{ installation }, { startServices }] = await Promise.all([
    load(),
    import('./start-services.js'),
  ]);
  return { installation, startServices };
}

/** Like Promise.all, but waits for all of them: what is being started must get into `closers`. */
async function all<Values extends readonly unknown[]>(
  work: readonly [...{ [Key in keyof Values]: Promise<Values[Key]> }],
): Promise<Values> {
  await Promise.allSettled(work);
  return Promise.all(work) as Promise<unknown> as Promise<Values>;
}
