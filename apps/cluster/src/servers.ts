import { join } from 'node:path';
import { startPostgres, UserError } from '@watchword/host';
import type { Closers } from '@watchword/host';
import { MissingPrerequisite, startKafka, startRedis } from '@watchword/local-servers';
import type { OnTrouble } from '@watchword/local-servers';
import type { Logger } from '@watchword/observability';
import { ContainerEngine } from './containers/container-engine.js';

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

/**
 * Those that the environment names, else ones of our own. Kafka and Redis run in containers where an engine
 * can do that, else on this machine itself. PostgreSQL is one of the packages, wherever we are installed.
 */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const own = !process.env['KAFKA_BROKERS'] || !process.env['REDIS_URL'];
  const engine = own ? await ContainerEngine.find(options.say) : undefined;
  const starting = [
    openDatabase(options),
    openKafka(options, engine),
    openRedis(options, engine),
  ] as const;
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

async function openKafka(
  { directory, logger, closers, say }: ServersOptions,
  engine: ContainerEngine | undefined,
): Promise<readonly string[]> {
  const host = process.env['KAFKA_BROKERS'] ? undefined : await engine?.kafka();
  const dataDir = join(directory, 'kafka');
  const kafka = await startKafka({ dataDir, say, host, onTrouble: tell(logger) }).catch(
    asUserError,
  );
  closers.add({ close: () => kafka.stop() });
  return kafka.brokers;
}

async function openRedis(
  { directory, logger, closers }: ServersOptions,
  engine: ContainerEngine | undefined,
): Promise<string> {
  const host = process.env['REDIS_URL'] ? undefined : await engine?.redis();
  const redis = await startRedis({ dataDir: directory, host, onTrouble: tell(logger) }).catch(
    asUserError,
  );
  closers.add({ close: () => redis.stop() });
  return redis.url;
}

const tell =
  (logger: Logger): OnTrouble =>
  (sentence, err) =>
    logger.error(err === undefined ? {} : { err }, sentence);

/** What is missing is said in one line, with the command that gets it. */
function asUserError(error: unknown): never {
  throw error instanceof MissingPrerequisite ? new UserError(error.message) : error;
}
