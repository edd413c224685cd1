import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '@watchword/config';
import type { Logger } from '@watchword/observability';
import { clusterIn, runningPostgres } from '@watchword/postgres';
import type { Closers } from './closers.js';
import { takeDataDirectory } from './data-directory/data-directory.js';
import { SECRETS_FILE_NAME, withSecrets } from './data-directory/secrets.js';
import { startPostgres } from './embedded-environment.js';
import { UserError } from './user-error.js';

/** An installation as a tool sees it: its settings with generated secrets, and its database. */
export interface Installed {
  config: Config;
  /** Returns the administrator's URL. Starts the embedded PostgreSQL if no process runs it. */
  adminUrl(): Promise<string>;
  /** DATA_DIR as an absolute path. Null where DATABASE_URL names a database. */
  directory: string | null;
}

/** What a tool needs of DATA_DIR. `database` needs the secrets too. */
export type Needed = 'nothing' | 'secrets' | 'database';

/**
 * Opens the installation of these settings, with or without a process that runs it. Refuses a
 * DATA_DIR that lacks what the tool needs, and leaves it as it is.
 */
export async function openInstallation(
  config: Config,
  logger: Logger,
  closers: Closers,
  needs: Needed = 'nothing',
): Promise<Installed> {
  if (config.databaseUrl !== '') {
    return { config, adminUrl: async () => config.databaseUrl, directory: null };
  }
  const directory = resolve(config.dataDir);
  await checkDirectory(directory, needs);
  const running = await runningPostgres(directory);
  if (running !== undefined) {
    const secured = await withSecrets(config, directory);
    return { config: secured, adminUrl: async () => running, directory };
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
    directory,
  };
}

async function checkDirectory(directory: string, needs: Needed): Promise<void> {
  if (needs === 'nothing') return;
  const hasDatabase = (await clusterIn(directory)) !== undefined;
  const hasSecrets = await access(join(directory, SECRETS_FILE_NAME)).then(
    () => true,
    () => false,
  );
  // A database without its secrets has an error of its own.
  if (hasDatabase || (hasSecrets && needs === 'secrets')) return;
  const lacking = hasSecrets ? 'database' : SECRETS_FILE_NAME;
  throw new UserError(
    `There is no ${lacking} in DATA_DIR ${directory}. Set DATA_DIR to the directory of the ` +
      `installation${hasSecrets ? '' : ', put its secrets.json there'}, or set DATABASE_URL if ` +
      'its database is elsewhere.',
  );
}
