import { resolve } from 'node:path';
import type { Config } from '@watchword/config';
import type { Logger } from '@watchword/observability';
import { startEmbeddedPostgres } from '@watchword/postgres';
import type { EmbeddedPostgres } from '@watchword/postgres';
import { startCarrierSimHost } from './carrier-sim/carrier-sim-host.js';
import type { CarrierSimHost } from './carrier-sim/carrier-sim-host.js';
import type { Closers } from './closers.js';

/** What an embedded installation has of its own: a database server and a carrier. */
export async function startPostgres(
  directory: string,
  logger: Logger,
  closers: Closers,
  onFailure: (error: Error) => void,
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    directory,
    onRestart: () => logger.error('the database server died and is started again'),
    onFailure,
  });
  closers.add({ close: () => server.stop(), abort: () => server.abort() });
  return server;
}

export async function startCarrierSim(
  config: Config,
  callbackBaseUrl: string,
  lastUrl: string | undefined,
  logger: Logger,
  closers: Closers,
): Promise<CarrierSimHost> {
  const callbacks = `${callbackBaseUrl}/callbacks/africas_talking/${config.callbackSecret}`;
  const host = await startCarrierSimHost({
    accounts: {
      twilio: { accountSid: config.twilioAccountSid, authToken: config.twilioAuthToken },
      africasTalking: {
        username: config.africasTalkingUsername,
        apiKey: config.africasTalkingApiKey,
        callbackUrl: callbacks,
      },
    },
    journalPath: resolve(config.dataDir, 'carrier-sim.ndjson'),
    port: config.carrierSimPort,
    preferredPort: lastUrl === undefined ? 0 : Number(new URL(lastUrl).port),
    onRestart: () => logger.error('the carrier simulator died and is started again'),
  });
  closers.add({ close: () => host.stop(), abort: () => host.abort() });
  return host;
}

/** Carriers whose address is not set are played by the simulator. */
export function withSimulatedCarriers(config: Config, simulatorUrl: string): Config {
  return {
    ...config,
    twilioBaseUrl: config.twilioBaseUrl || `${simulatorUrl}/twilio`,
    africasTalkingBaseUrl: config.africasTalkingBaseUrl || `${simulatorUrl}/africas-talking`,
  };
}
