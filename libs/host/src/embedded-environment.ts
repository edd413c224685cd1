import { accountFrom, callbackPathOf } from '@watchword/carriers/registry';
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

/** Returns the accounts that the carrier simulator plays, by carrier. */
export function simulatedAccounts(config: Config, callbackBaseUrl: string) {
  const [secret = ''] = config.callbackSecrets;
  const played = config.carrierAccounts.filter(({ isSimulated }) => isSimulated);
  return Object.fromEntries(
    played.map((account) => {
      const callbackUrl = callbackBaseUrl + callbackPathOf(secret, account);
      return [account.carrier, { ...textsOf(account.settings), callbackUrl }];
    }),
  );
}

/** The simulator knows texts alone. */
function textsOf(settings: object): Record<string, string> {
  const texts = Object.entries(settings).flatMap(([property, value]) => {
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return [];
    return [[property, String(value)]];
  });
  return Object.fromEntries(texts) as Record<string, string>;
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

/** Gives simulated accounts the addresses of the simulator, which is also the DNS of domains. */
export function withSimulatedCarriers(config: Config, simulator: SimulatorPlaces): Config {
  const carrierAccounts = config.carrierAccounts.map((account) => {
    if (!account.isSimulated) return account;
    const unset = accountFrom(account.carrier, {}).settings as Record<string, unknown>;
    const given = account.settings as Record<string, unknown>;
    const places = Object.entries(simulatedPlace(account.carrier, simulator));
    // A row may name an address, of a proxy in front of the simulator.
    const own = places.filter(([property]) => given[property] === unset[property]);
    return { ...account, settings: { ...given, ...Object.fromEntries(own) } };
  });
  const isMailSimulated = config.carrierAccounts.some(
    ({ carrier, isSimulated }) => carrier === 'smtp' && isSimulated,
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

function simulatedPlace(carrier: string, { url, smtp, smpp }: SimulatorPlaces): object {
  // Neither the SMSC nor the mailbox speaks TLS.
  if (carrier === 'smpp') return { ...smpp, security: 'none' };
  if (carrier !== 'smtp') return { baseUrl: `${url}/${carrier.replaceAll('_', '-')}` };
  return { ...smtp, security: 'none' };
}
