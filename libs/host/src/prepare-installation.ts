import { prepareKafka } from '@watchword/bus';
import type { Config } from '@watchword/config';
import type { Logger } from '@watchword/observability';
import type { ServiceDefinition } from '@watchword/platform';
import { roleOf, type SchemaState } from '@watchword/postgres';
import { kafkaConnectionOf } from './adapters/kafka-connection.js';
import { prepareDatabase } from './database/service-databases.js';

/** Does what separate services need and may not do themselves. */
export async function prepareInstallation(
  adminUrl: string,
  config: Config,
  definitions: readonly ServiceDefinition[],
  logger: Logger,
): Promise<SchemaState[]> {
  const states = await prepareDatabase(adminUrl, config, definitions, logger);
  if (config.kafkaBrokers.length === 0) return states;
  const connection = { ...kafkaConnectionOf(config), clientId: 'watchword-migrate', logger };
  await prepareKafka(connection, roleOf);
  return states;
}
