import type { Config } from '@watchword/config';
import type { Logger } from '@watchword/observability';
import { startEmbeddedPostgres } from '@watchword/postgres';
import type { EmbeddedPostgres } from '@watchword/postgres';
import type { Closers } from './closers.js';

/** What an installation on one machine has of its own: a database server and a carrier. */
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

/** The accounts that the carrier simulator plays: those of the settings. */
export function simulatedAccounts(config: Config, callbackBaseUrl: string) {
  return {
    twilio: { accountSid: config.twilioAccountSid, authToken: config.twilioAuthToken },
    africasTalking: {
      username: config.africasTalkingUsername,
      apiKey: config.africasTalkingApiKey,
      callbackUrl: `${callbackBaseUrl}/callbacks/africas_talking/${config.callbackSecret}`,
    },
  };
}

/** Carriers whose address is not set are played by the simulator. */
export function withSimulatedCarriers(config: Config, simulatorUrl: string): Config {
  return {
    ...config,
    twilioBaseUrl: config.twilioBaseUrl || `${simulatorUrl}/twilio`,
    africasTalkingBaseUrl: config.africasTalkingBaseUrl || `${simulatorUrl}/africas-talking`,
  };
}
