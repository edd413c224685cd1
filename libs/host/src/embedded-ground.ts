import { callbackPathOf, canSubmit } from '@watchword/carriers/registry';
import type { Config } from '@watchword/config';
import type { Logger } from '@watchword/observability';
import { startEmbeddedPostgres } from '@watchword/postgres';
import type { EmbeddedPostgres } from '@watchword/postgres';
import type { Closers } from './closers.js';

/** Starts the database server of an installation on one machine. */
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

/** Returns the accounts that the carrier simulator plays: the first of each carrier, where it is set. */
export function simulatedAccounts(config: Config, callbackBaseUrl: string) {
  const [secret = ''] = config.callbackSecrets;
  const first = config.carrierAccounts.filter(
    (account) => account.id === account.carrier && canSubmit(account),
  );
  return Object.fromEntries(
    first.map((account) => {
      const callbackUrl = callbackBaseUrl + callbackPathOf(secret, account);
      return [account.carrier, { ...account.settings, callbackUrl }];
    }),
  );
}

/** Addresses of the carrier simulator. */
export interface SimulatorPlaces {
  readonly url: string;
  readonly smtp: { readonly host: string; readonly port: number };
  /** Its SMSC. Absent where no account of SMPP is set. */
  readonly smpp?: { readonly host: string; readonly port: number };
  /** `host:port` of its name server. */
  readonly dns: string;
}

const SIMULATED_BOUNCE_DOMAIN = 'bounces.sim.test';
/** The simulator publishes its DNS records, so account emails work at once. */
const SIMULATED_PLATFORM_EMAIL = 'Watchword <accounts@watchword.example>';

/** Lets the simulator play carriers without an address, and the DNS of sending domains. */
export function withSimulatedCarriers(config: Config, simulator: SimulatorPlaces): Config {
  const carrierAccounts = config.carrierAccounts.map((account) => {
    const simulated = simulatedPlace(account.carrier, simulator);
    // The first such setting is the address. An account without one is not simulated.
    const [place = ''] = Object.keys(simulated);
    if (account.settings[place] !== '') return account;
    return { ...account, settings: { ...account.settings, ...simulated } };
  });
  const isMailSimulated = config.carrierAccounts.some(
    ({ carrier, settings }) => carrier === 'smtp' && settings['host'] === '',
  );
  const platformEmail = isMailSimulated ? SIMULATED_PLATFORM_EMAIL : '';
  return {
    ...config,
    carrierAccounts,
    dnsServers: config.dnsServers.length > 0 ? config.dnsServers : [simulator.dns],
    bounceDomain: config.bounceDomain || SIMULATED_BOUNCE_DOMAIN,
    platformEmailFrom: config.platformEmailFrom || platformEmail,
  };
}

function simulatedPlace(
  carrier: string,
  { url, smtp, smpp }: SimulatorPlaces,
): Record<string, string> {
  if (carrier === 'smpp') {
    // The SMSC plays the first account alone, and speaks no TLS.
    return { host: smpp?.host ?? '', port: String(smpp?.port ?? ''), security: 'none' };
  }
  if (carrier !== 'smtp') return { baseUrl: `${url}/${carrier.replaceAll('_', '-')}` };
  return { host: smtp.host, port: String(smtp.port), security: 'none' };
}
