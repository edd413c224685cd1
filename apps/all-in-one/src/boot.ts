import { basename, dirname, join } from 'node:path';
import type { Config } from '@watchword/config';
import {
  CREDENTIALS_FILE_NAME,
  credentialsOf,
  demoOf,
  readCredentials,
  reserveAddress,
  reserveInboundSmtpPort,
  reserveStatusPort,
  startPostgres,
  startServices,
  takeDataDirectory,
  withSecrets,
  withSimulatedCarriers,
  writePrivateJson,
} from '@watchword/host';
import type { Environment, HostContext, ListeningAddress } from '@watchword/host';
import { createLogger } from '@watchword/observability';
import type { Logger } from '@watchword/observability';
import { banner, bannerWithoutGateway } from './banner.js';
import { startCarrierSim } from './carrier-sim.js';
import type { Installation } from './services.js';

export interface BootContext extends HostContext {
  /** Loads the services. That takes about as long as PostgreSQL's start, so both run together. */
  load: () => Promise<{ installation: Installation }>;
}

/** Starts the system from its settings. Returns the banner. */
export async function boot(context: BootContext): Promise<string> {
  const { config } = context;
  const address = await reserveAddress(config);
  const logger = createLogger({ program: 'watchword', level: config.logLevel });
  return config.databaseUrl === ''
    ? bootEmbedded(address, logger, context)
    : bootAgainst(address, logger, context);
}

/** Starts everything itself: database, secrets, carrier simulator, demo workspace. */
async function bootEmbedded(
  address: ListeningAddress,
  logger: Logger,
  context: BootContext,
): Promise<string> {
  const { config: settings, closers, say, onFailure } = context;
  const directory = await takeDataDirectory(settings.dataDir);
  closers.add({ close: async () => directory.release(), abort: () => directory.release() });
  const secured = await withSecrets(settings, directory.path);
  const inboundSmtpPort = secured.inboundSmtpPort || (await reserveInboundSmtpPort(secured));
  const callbackBaseUrl = secured.callbackBaseUrl || address.baseUrl;
  const credentials = await readCredentials(directory.path);
  say('Starting PostgreSQL and the carrier simulator');
  const [postgres, simulator, { installation }] = await all([
    startPostgres(directory.path, logger, closers, onFailure),
    startCarrierSim(
      secured,
      callbackBaseUrl,
      [inboundSmtpPort],
      credentials?.simulator_url,
      logger,
      closers,
    ),
    context.load(),
  ]);
  if (basename(dirname(postgres.directory)) !== basename(directory.path)) {
    say(
      `Root's own directories are closed to PostgreSQL: the database is in ${postgres.directory}`,
    );
  }
  const metricsPort = await reserveStatusPort(secured, credentials?.status_url);
  const settled = { ...secured, callbackBaseUrl, metricsPort, inboundSmtpPort };
  const config: Config = withSimulatedCarriers(settled, simulator);
  const { definitions, demoSeed } = installation;
  const demo = credentials ? demoOf(credentials) : demoSeed.draw();
  const addresses = {
    baseUrl: address.baseUrl,
    simulatorUrl: simulator.url,
    statusUrl: `http://${config.internalHost}:${metricsPort}`,
  };
  say('Bringing the database up to date and starting the services');
  let logInToken = '';
  const prepare: Environment['prepare'] = async (platforms) => {
    const gateway = platforms.get('gateway');
    if (!gateway) return;
    const { operatorToken } = config;
    const kept = credentialsOf(demo, { ...addresses, operatorToken });
    await writePrivateJson(directory.path, CREDENTIALS_FILE_NAME, kept);
    await demoSeed.ensure(demo, gateway, simulator.url);
    logInToken = demoSeed.offerLogIn(demo, gateway);
  };
  const adminUrl = postgres.url;
  const environment = { config, adminUrl, address, logger, closers, definitions, onFailure };
  await startServices({ ...environment, prepare });
  if (!config.services.includes('gateway')) return bannerWithoutGateway(config);
  const credentialsFile = join(directory.path, CREDENTIALS_FILE_NAME);
  return banner({ ...addresses, credentialsFile, testKey: demo.testKey, logInToken });
}

/** Starts one process, alone or one of many, on an external PostgreSQL. */
async function bootAgainst(
  address: ListeningAddress,
  logger: Logger,
  context: BootContext,
): Promise<string> {
  const { config: settings, closers, say, onFailure } = context;
  const config = { ...settings, callbackBaseUrl: settings.callbackBaseUrl || address.baseUrl };
  const { installation } = await context.load();
  const { definitions } = installation;
  const adminUrl = config.databaseUrl;
  say('Bringing the database up to date and starting the services');
  await startServices({ config, adminUrl, address, logger, closers, definitions, onFailure });
  if (!config.services.includes('gateway')) return bannerWithoutGateway(config);
  return `Watchword (${config.services.join(', ')}) is running at ${address.baseUrl}`;
}

/** Like Promise.all, but waits for all: everything that starts must be registered in `closers`. */
async function all<Values extends readonly unknown[]>(
  work: readonly [...{ [Key in keyof Values]: Promise<Values[Key]> }],
): Promise<Values> {
  await Promise.allSettled(work);
  return Promise.all(work) as Promise<unknown> as Promise<Values>;
}
