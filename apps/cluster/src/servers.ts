import { join } from 'node:path';
import { startPostgres, UserError } from '@watchword/host';
import type { Closers } from '@watchword/host';
import type { Logger } from '@watchword/observability';
import { MissingPrerequisite, startKafka, startRedis } from '@watchword/testing';

export interface Servers {
  /** A user that may create roles and schemas. */
  databaseUrl: string;
  kafkaBrokers: readonly string[];
  redisUrl: string;
}

export interface ServersOptions {
  directory: string;
  logger: Logger;
  closers: Closers;
  say: (sentence: string) => void;
  onFailure: (error: Error) => void;
}

/** Those that the environment names, else ones of our own. */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const starting = [openDatabase(options), openKafka(options), openRedis(options)] as const;
  // Whatever is being started must have been left with the closers before anything fails.
  await Promise.allSettled(starting);
  const [databaseUrl, kafkaBrokers, redisUrl] = await Promise.all(starting);
  return { databaseUrl, kafkaBrokers, redisUrl };
}

async function openDatabase(options: ServersOptions): Promise<string> {
  const given = process.env['DATABASE_URL'];
  if (given) return given;
  const { directory, logger, closers, onFailure } = options;
  return (await startPostgres(directory, logger, closers, onFailure)).url;
}

async function openKafka({ directory, closers, say }: ServersOptions): Promise<readonly string[]> {
  const kafka = await startKafka({ dataDir: join(directory, 'kafka'), say }).catch(asUserError);
  closers.add({ close: () => kafka.stop() });
  return kafka.brokers;
}

async function openRedis({ directory, closers }: ServersOptions): Promise<string> {
  const redis = await startRedis({ dataDir: directory }).catch(asUserError);
  closers.add({ close: () => redis.stop() });
  return redis.url;
}

/** What is missing is said in one line, with the command that gets it. */
function asUserError(error: unknown): never {
  throw error instanceof MissingPrerequisite ? new UserError(error.message) : error;
}
