import { createProviders, type Provider } from '@watchword/carriers';
import { callbackBaseUrlOf, type Config } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';

/** Token of the carrier accounts of this process, by name. */
export const CARRIERS = Symbol('carriers');
export type Carriers = ReadonlyMap<string, Provider>;

/**
 * Returns the accounts of the settings, and the simulated ones for test keys. They are not started.
 */
export function configuredProviders(
  config: Config,
  clock: Clock,
  logger: Logger,
): Promise<Map<string, Provider>> {
  return createProviders(config.carrierAccounts, {
    clock,
    logger,
    callbackBaseUrl: callbackBaseUrlOf(config),
    callbackSecret: config.callbackSecrets[0] ?? '',
  });
}
