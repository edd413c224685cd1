import type { Platform, ServiceDefinition } from '@watchword/platform';
import type { SchemaState } from '@watchword/postgres';
import type { PlatformEnvironment } from './open-platforms.js';
import type { Environment } from './start-services.js';

// Declared when this package is loaded, like the services' own metrics.
import './status/measurements.js';

export { Closers } from './closers.js';
export type { Closer } from './closers.js';
export { takeDataDirectory } from './data-directory/data-directory.js';
export type { DataDirectory } from './data-directory/data-directory.js';
export { readJson, writePrivateJson } from './data-directory/private-file.js';
export { derivedSecrets, withSecrets } from './data-directory/secrets.js';
export { roleOf, urlFor } from '@watchword/postgres';
export { databaseAccess, POOL_SIZES } from './database/service-databases.js';
export { checkRotation, forgetOldKeys } from './database/secret-fingerprints.js';
export type { DatabaseAccess } from './database/service-databases.js';
export {
  CREDENTIALS_FILE_NAME,
  credentialsOf,
  demoOf,
  readCredentials,
} from './demo/dev-credentials.js';
export type { DevCredentials } from './demo/dev-credentials.js';
export type { DemoSeed, DemoWorkspace } from './demo/demo-workspace.js';
export { simulatedAccounts, startPostgres, withSimulatedCarriers } from './embedded-environment.js';
export { takeArrivals } from './last-answers.js';
export { reserveAddress, reserveInboundSmtpPort, reserveStatusPort } from './listening-address.js';
export type { ListeningAddress } from './listening-address.js';
export { runHost } from './run-host.js';
export type { HostContext } from './run-host.js';
export { runService } from './run-service.js';
export type { PlatformEnvironment, Platforms } from './open-platforms.js';
export type { Environment } from './start-services.js';
export { openInstallation } from './open-installation.js';
export type { Installed, Needed } from './open-installation.js';
export { isUserError, UserError } from './user-error.js';

/** Loads Nest and other slow packages only when called. */
export async function startServices(environment: Environment): Promise<void> {
  const starting = await import('./start-services.js');
  return starting.startServices(environment);
}

/** See `prepare-installation.ts`, which it loads when called. */
export async function prepareInstallation(
  ...given: Parameters<typeof import('./prepare-installation.js').prepareInstallation>
): Promise<SchemaState[]> {
  const preparing = await import('./prepare-installation.js');
  return preparing.prepareInstallation(...given);
}

/** See `act-as.ts`, which it loads when called. */
export async function actAs<Result>(
  service: ServiceDefinition,
  environment: Omit<PlatformEnvironment, 'closers' | 'definitions'>,
  work: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  const acting = await import('./act-as.js');
  return acting.actAs(service, environment, work);
}
