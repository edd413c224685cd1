import { resolve } from 'node:path';
import type { Config } from '@watchword/config';
import type { Logger } from '@watchword/observability';
import { runningPostgres } from '@watchword/postgres';
import type { Closers } from './closers.js';
import { takeDataDirectory } from './data-directory/data-directory.js';
import { withSecrets } from './data-directory/secrets.js';
import { startPostgres } from './embedded-ground.js';

/** An installation as a tool sees it: its settings with generated secrets, and its database. */
export interface Installed {
  config: Config;
  /** Returns the administrator's URL. Starts the embedded PostgreSQL if no process runs it. */
  adminUrl(): Promise<string>;
  /** Null where DATABASE_URL names a database. */
  embedded: EmbeddedPlace | null;
}

export interface EmbeddedPlace {
  /** DATA_DIR as an absolute path. */
  directory: string;
  /** Whether another process uses it. If not, this process locks it. */
  isRunning: boolean;
}

/** Opens the installation of these settings, with or without a process that runs it. */
export async function openInstallation(
  config: Config,
  logger: Logger,
  closers: Closers,
): Promise<Installed> {
  if (config.databaseUrl !== '') {
    return { config, adminUrl: async () => config.databaseUrl, embedded: null };
  }
  const directory = resolve(config.dataDir);
  const running = await runningPostgres(directory);
  if (running !== undefined) {
    const secured = await withSecrets(config, directory);
    const embedded = { directory, isRunning: true };
    return { config: secured, adminUrl: async () => running, embedded };
  }
  const taken = await takeDataDirectory(directory);
  closers.add({ close: async () => taken.release(), abort: () => taken.release() });
  let started: Promise<string> | undefined;
  const fail = (error: Error) => {
    throw error;
  };
  const start = () => startPostgres(directory, logger, closers, fail).then(({ url }) => url);
  return {
    config: await withSecrets(config, directory),
    adminUrl: () => (started ??= start()),
    embedded: { directory, isRunning: false },
  };
}
