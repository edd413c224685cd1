import { join } from 'node:path';
import { startPostgres, UserError } from '@watchword/host';
import type { Closers } from '@watchword/host';
import {
  MissingPrerequisite,
  ServerDoesNotStart,
  startKafka,
  startRedis,
} from '@watchword/local-servers';
import type { OnTrouble } from '@watchword/local-servers';
import type { Logger } from '@watchword/observability';
import { ContainerEngine } from './containers/container-engine.js';
import { settingsWithUsers } from './own-kafka.js';
import { troubleFields } from './trouble-fields.js';

export interface Servers {
  /** A user that may create roles and schemas. */
  databaseUrl: string;
  kafkaBrokers: readonly string[];
  /** Whether Kafka has a user per service, as the cluster's own one does. */
  kafkaHasUsers: boolean;
  redisUrl: string;
}

export interface ServersOptions {
  directory: string;
  /** Passwords of the users of the cluster's own Kafka. */
  kafkaPasswords: Readonly<Record<string, string>>;
  logger: Logger;
  closers: Closers;
  say: (sentence: string) => void;
  onFailure: (error: Error) => void;
}

/**
 * Starts servers, except those that the environment names. Kafka and Redis run in containers where
 * an engine allows it, else directly on this machine. PostgreSQL comes from a package.
 */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const own = !process.env['KAFKA_BROKERS'] || !process.env['REDIS_URL'];
  const engine = own ? await ContainerEngine.find(options.say) : undefined;
  const starting = [
    openDatabase(options),
    openKafka(options, engine),
    openRedis(options, engine),
  ] as const;
  // Every starting server is registered in the closers before a failure is thrown.
  await Promise.allSettled(starting);
  const [databaseUrl, kafkaBrokers, redisUrl] = await Promise.all(starting);
  const kafkaHasUsers = !process.env['KAFKA_BROKERS'];
  return { databaseUrl, kafkaBrokers, kafkaHasUsers, redisUrl };
}

async function openDatabase(options: ServersOptions): Promise<string> {
  const given = process.env['DATABASE_URL'];
  if (given) return given;
  const { directory, logger, closers, onFailure } = options;
  return (await startPostgres(directory, logger, closers, onFailure)).url;
}

async function openKafka(
  { directory, kafkaPasswords, logger, closers, say }: ServersOptions,
  engine: ContainerEngine | undefined,
): Promise<readonly string[]> {
  const host = process.env['KAFKA_BROKERS'] ? undefined : await engine?.kafka();
  const dataDir = join(directory, 'kafka');
  const settings = settingsWithUsers(kafkaPasswords);
  const onTrouble = troubleLog(logger);
  const kafka = await startKafka({ dataDir, say, host, onTrouble, settings }).catch(asUserError);
  closers.add({ close: () => kafka.stop() });
  return kafka.brokers;
}

async function openRedis(
  { directory, logger, closers }: ServersOptions,
  engine: ContainerEngine | undefined,
): Promise<string> {
  const host = process.env['REDIS_URL'] ? undefined : await engine?.redis();
  const redis = await startRedis({ dataDir: directory, host, onTrouble: troubleLog(logger) }).catch(
    asUserError,
  );
  closers.add({ close: () => redis.stop() });
  return redis.url;
}

const troubleLog =
  (logger: Logger): OnTrouble =>
  (sentence, error) =>
    logger.error(troubleFields(error), sentence);

/** Throws an error with what is missing or does not start, and what to do. */
export function asUserError(error: unknown): never {
  const isKnown = error instanceof MissingPrerequisite || error instanceof ServerDoesNotStart;
  throw isKnown ? new UserError(error.message) : error;
}
