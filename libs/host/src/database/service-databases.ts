import { createHmac } from 'node:crypto';
import { busPlan, outboxesAhead, provisionBus } from '@watchword/bus';
import type { Config, ServiceName } from '@watchword/config';
import { ALL_TOPICS } from '@watchword/contracts';
import { type Logger, loggerOf } from '@watchword/observability';
import { schemaPlanOf, type ServiceDefinition } from '@watchword/platform';
import { migrate, openServiceDatabase, roleOf, urlFor } from '@watchword/postgres';
import type { SchemaState, ServiceDatabase } from '@watchword/postgres';
import { UserError } from '../user-error.js';

export interface DatabaseAccess {
  /** A user that may create roles and schemas; used for migrations only. */
  adminUrl: string;
  urlOf(role: ServiceName | 'bus'): string;
}

/**
 * Passwords of the services' roles follow from the encryption key, so every process that shares the
 * settings has the same ones and none is kept anywhere.
 */
export function databaseAccess(adminUrl: string, config: Config): DatabaseAccess {
  return {
    adminUrl,
    urlOf: (role) => urlFor(adminUrl, roleOf(role), passwordOf(config, role)),
  };
}

function passwordOf(config: Config, role: ServiceName | 'bus'): string {
  return createHmac('sha256', config.encryptionKey).update(`postgres role ${role}`).digest('hex');
}

const OTHER_KEY =
  'this PostgreSQL server was used with another ENCRYPTION_KEY: who has that one is locked out as soon as it connects ' +
  'anew, and what it has encrypted cannot be read with ours';

const RESTORED =
  'The database was restored from another PostgreSQL server, and its outboxes are not in order yet. ' +
  'Stop every process of Watchword, and run: npm run operator -- repair-outbox';

export async function migrateServices(
  access: DatabaseAccess,
  config: Config,
  definitions: readonly ServiceDefinition[],
  logger: Logger,
): Promise<SchemaState[]> {
  const names = definitions.map(({ name }) => name);
  const plans = definitions.map(schemaPlanOf);
  const inPostgres = config.kafkaBrokers.length === 0;
  const roles = inPostgres ? [...names, 'bus' as const] : names;
  const states = await migrate({
    adminUrl: access.adminUrl,
    passwords: Object.fromEntries(roles.map((role) => [role, passwordOf(config, role)])),
    plans: inPostgres ? [...plans, busPlan] : plans,
    onOtherPasswords: (roles) => logger.warn({ roles }, OTHER_KEY),
    onMigration: (schema, migration) => logger.info({ schema, migration }, 'migrating'),
    onFunctions: (schema, files) => logger.info({ schema, files }, 'SQL functions applied'),
  });
  const topics = ALL_TOPICS.filter(({ owner }) => names.includes(owner));
  if ((await outboxesAhead(access.adminUrl, topics)).length > 0) throw new UserError(RESTORED);
  if (inPostgres) await provisionBus(access.adminUrl, topics);
  return states;
}

export function openServiceDatabases(
  access: DatabaseAccess,
  config: Config,
  definitions: readonly ServiceDefinition[],
  logger: Logger,
): Map<ServiceName, ServiceDatabase> {
  const poolSizes: Record<ServiceName, number> = {
    gateway: config.gatewayPoolSize,
    billing: config.billingPoolSize,
    dispatch: config.dispatchPoolSize,
    webhooks: config.webhooksPoolSize,
  };
  const open = (name: ServiceName) =>
    openServiceDatabase({
      service: name,
      url: access.urlOf(name),
      poolSize: poolSizes[name],
      onIdleError: (error) =>
        loggerOf(name, logger).warn({ error: error.message }, 'connection lost'),
      onUnwell: (error) =>
        loggerOf(name, logger).error({ err: error }, 'the database refuses work because of itself'),
    });
  return new Map(definitions.map(({ name }) => [name, open(name)]));
}
