import { createHmac } from 'node:crypto';
import { busPlan, provisionBus } from '@watchword/bus';
import { type Config, hasOwnRole, type ServiceName } from '@watchword/config';
import { ALL_TOPICS } from '@watchword/contracts';
import { type Logger, loggerOf } from '@watchword/observability';
import { schemaPlanOf, type ServiceDefinition } from '@watchword/platform';
import {
  createClient,
  explainNotReached,
  inspectSchema,
  isContention,
  migrate,
  openServiceDatabase,
  roleOf,
  urlFor,
} from '@watchword/postgres';
import type { SchemaState, ServiceDatabase } from '@watchword/postgres';
import { UserError } from '../user-error.js';
import { checkSecrets } from './secret-fingerprints.js';

export interface DatabaseAccess {
  urlOf(role: ServiceName | 'bus'): string;
}

/**
 * Returns an administrator's URL, which reaches every role, or the URL of the service's own role.
 */
export function databaseAccess(url: string, config: Config): DatabaseAccess {
  if (hasOwnRole(config)) return { urlOf: () => url };
  return { urlOf: (role) => urlFor(url, roleOf(role), passwordOf(config, role)) };
}

/**
 * Returns the password of a role. An unset one is derived from the last encryption key, which a
 * rotation replaces last.
 */
function passwordOf(config: Config, role: ServiceName | 'bus'): string {
  const given: Record<ServiceName | 'bus', string> = {
    gateway: config.gatewayDatabasePassword,
    billing: config.billingDatabasePassword,
    dispatch: config.dispatchDatabasePassword,
    webhooks: config.webhooksDatabasePassword,
    bus: '',
  };
  const key = config.encryptionKeys.at(-1) ?? '';
  return given[role] || createHmac('sha256', key).update(`postgres role ${role}`).digest('hex');
}

const OTHER_PASSWORDS =
  'roles of this PostgreSQL server had other passwords: a process that has those is refused as soon as it connects anew';

/** Prepares roles, schemas and rights, with the administrator's URL. */
export async function prepareDatabase(
  adminUrl: string,
  config: Config,
  definitions: readonly ServiceDefinition[],
  logger: Logger,
): Promise<SchemaState[]> {
  const names = definitions.map(({ name }) => name);
  const plans = definitions.map(schemaPlanOf);
  const inPostgres = config.kafkaBrokers.length === 0;
  const roles = inPostgres ? [...names, 'bus' as const] : names;
  // Before a change of a password that another process uses.
  await checkEach(adminUrl, names, config);
  const states = await migrate({
    adminUrl,
    passwords: Object.fromEntries(roles.map((role) => [role, passwordOf(config, role)])),
    plans: inPostgres ? [...plans, busPlan] : plans,
    onOtherPasswords: (others) => logger.warn({ roles: others }, OTHER_PASSWORDS),
    onMigration: (schema, migration) => logger.info({ schema, migration }, 'migrating'),
    onFunctions: (schema, files) => logger.info({ schema, files }, 'SQL functions applied'),
  });
  // A migration creates the table of fingerprints.
  if (states.some(({ ran }) => ran > 0)) await checkEach(adminUrl, names, config);
  const topics = ALL_TOPICS.filter(({ owner }) => names.includes(owner));
  if (inPostgres) await provisionBus(adminUrl, topics);
  return states;
}

/**
 * Checks the schema with the URL of a service's own role. An administrator has prepared it before.
 */
export async function inspectDatabase(
  url: string,
  config: Config,
  service: ServiceDefinition,
): Promise<SchemaState[]> {
  const { state, pending } = await inspectSchema(url, schemaPlanOf(service));
  if (pending.length > 0) {
    throw new UserError(
      `The schema ${service.name} lacks ${pending.length} migrations (${pending[0]}, ...). ` +
        "Run with the administrator's DATABASE_URL: npm run operator -- migrate",
    );
  }
  await checkEach(url, [service.name], config);
  return [state];
}

async function checkEach(url: string, services: readonly ServiceName[], config: Config) {
  const client = createClient({ url, applicationName: 'watchword-secrets' });
  await client.connect().catch((error: unknown) => {
    throw explainNotReached(error, url);
  });
  try {
    await checkSecrets(client, services, config);
  } finally {
    await client.end();
  }
}

/** Connections of each service's data plane (docs/guides/operate/sizes.md). */
export const POOL_SIZES: Record<ServiceName, number> = {
  gateway: 4,
  billing: 6,
  dispatch: 8,
  webhooks: 6,
};

export function openServiceDatabases(
  access: DatabaseAccess,
  definitions: readonly ServiceDefinition[],
  logger: Logger,
): Map<ServiceName, ServiceDatabase> {
  const open = (name: ServiceName) =>
    openServiceDatabase({
      service: name,
      url: access.urlOf(name),
      poolSize: POOL_SIZES[name],
      onUnavailable: (cause) => {
        const log = loggerOf(name, logger);
        if (isContention(cause)) log.warn({ err: cause }, 'database refused a statement, retrying');
        else log.error({ err: cause }, 'database unavailable');
      },
    });
  return new Map(definitions.map(({ name }) => [name, open(name)]));
}
