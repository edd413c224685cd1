import { CarrierSimPortTaken, startCarrierSimHost } from '@watchword/carrier-sim';
import type { CarrierSimHost } from '@watchword/carrier-sim';
import type { Config } from '@watchword/config';
import { simulatedAccounts, UserError } from '@watchword/host';
import type { Closers } from '@watchword/host';
import type { Logger } from '@watchword/observability';

/** Starts the carrier simulator, at its last address if that is free. */
export async function startCarrierSim(
  config: Config,
  callbackBaseUrl: string,
  inboundSmtpPorts: readonly number[],
  lastUrl: string | undefined,
  logger: Logger,
  closers: Closers,
): Promise<CarrierSimHost> {
  const { carrierSimPort: port } = config;
  const host = await startCarrierSimHost({
    accounts: simulatedAccounts(config, callbackBaseUrl),
    bounceExchangers: inboundSmtpPorts.map((port) => ({ host: '127.0.0.1', port })),
    port,
    preferredPort: lastUrl === undefined ? 0 : Number(new URL(lastUrl).port),
    onRestart: () => logger.error('the carrier simulator died and is started again'),
  }).catch((error: unknown) => {
    if (!(error instanceof CarrierSimPortTaken)) throw error;
    throw new UserError(`CARRIER_SIM_PORT ${port} is taken: set another one, or none to take any.`);
  });
  closers.add({ close: () => host.stop(), abort: () => host.abort() });
  return host;
}
