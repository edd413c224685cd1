import { callbackPathOf } from '@watchword/carriers/registry';
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
  const first = config.carrierAccounts.filter(({ id, carrier }) => id === carrier);
  return Object.fromEntries(
    first.map((account) => {
      const callbackUrl = callbackBaseUrl + callbackPathOf(config.callbackSecret, account);
      return [account.carrier, { ...account.settings, callbackUrl }];
    }),
  );
}

/** Carriers whose address is not set are played by the simulator. */
export function withSimulatedCarriers(config: Config, simulatorUrl: string): Config {
  const carrierAccounts = config.carrierAccounts.map((account) => {
    const { baseUrl } = account.settings;
    if (baseUrl !== '') return account;
    const simulated = `${simulatorUrl}/${account.carrier.replaceAll('_', '-')}`;
    return { ...account, settings: { ...account.settings, baseUrl: simulated } };
  });
  return { ...config, carrierAccounts };
}
