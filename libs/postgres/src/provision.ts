import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Client } from 'pg';
import { explainMissingRight, INSUFFICIENT_PRIVILEGE, sqlState } from './database-errors.js';
import { createClient } from './pool.js';
import { scramVerifier } from './scram-verifier.js';

/**
 * Returns the name of a service's login role. It uses the tables of its schema and owns none of
 * them.
 */
export function roleOf(service: string): string {
  return `watchword_${service}`;
}

/** Returns the URL of the same database for another user. */
export function urlFor(adminUrl: string, user: string, password: string): string {
  const url = new URL(adminUrl);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  return url.toString();
}

/** The roles of a database server, as a start left them. */
export interface ProvisionedRoles {
  /** Services whose roles had another password before, which other installations may use. */
  others: string[];
  /** Whether a role is new, so that no schema has given it rights. */
  hasNew: boolean;
}

interface KnownRole {
  comment: string;
  searchPath: string | undefined;
}

/**
 * Creates the roles, and renews passwords that do not work. What is right already is left alone. Roles belong to
 * the cluster, not to a database.
 */
export async function provisionRoles(
  admin: Client,
  adminUrl: string,
  passwords: Readonly<Record<string, string>>,
): Promise<ProvisionedRoles> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeRoles(admin, adminUrl, passwords);
    } catch (error) {
      const state = sqlState(error) ?? '';
      if (!COLLISION_STATES.includes(state) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/**
 * Two databases of one cluster may be provisioned at once, and no lock covers both: tuple
 * concurrently updated, unique violation, duplicate object. A retry succeeds.
 */
const COLLISION_STATES = ['XX000', '23505', '42710'];
const ATTEMPTS_MAX = 10;

async function writeRoles(
  admin: Client,
  adminUrl: string,
  passwords: Readonly<Record<string, string>>,
): Promise<ProvisionedRoles> {
  const services = Object.keys(passwords);
  const known = await readRoles(admin, services);
  const found = await Promise.all(
    services.map(async (service) => {
      const role = known.get(roleOf(service));
      const hasPassword = role?.comment === MARK;
      const url = urlFor(adminUrl, roleOf(service), passwords[service]!);
      return { service, role, hasPassword, logIn: hasPassword ? await logIn(url) : 'unknown' };
    }),
  );
  const wrong = found.filter(
    ({ service, role, logIn: outcome }) => outcome !== 'works' || role?.searchPath !== service,
  );
  if (wrong.length > 0) {
    await refuseWithoutRight(admin);
    const statements = wrong.map((one) =>
      roleStatements(one.service, one.role === undefined, passwords[one.service]!),
    );
    await admin.query(statements.join('\n'));
  }
  return {
    others: found.filter(({ logIn: outcome }) => outcome === 'refused').map((one) => one.service),
    hasNew: found.some(({ role }) => role === undefined),
  };
}

async function readRoles(admin: Client, services: readonly string[]) {
  const { rows } = await admin.query<{ name: string } & KnownRole>(
    `SELECT rolname AS name, coalesce(shobj_description(oid, 'pg_authid'), '') AS comment,
            (SELECT substr(setting, 13) FROM unnest(rolconfig) AS setting
              WHERE starts_with(setting, 'search_path=')) AS "searchPath"
       FROM pg_roles WHERE rolname = ANY ($1)`,
    [services.map(roleOf)],
  );
  return new Map<string, KnownRole>(rows.map(({ name, ...role }) => [name, role]));
}

/** Tries a password. A role that may not connect to this database has shown the right one, too. */
async function logIn(url: string): Promise<'works' | 'refused' | 'unknown'> {
  const client = createClient({ url, applicationName: 'watchword-migrate' });
  try {
    await client.connect();
    await client.end();
    return 'works';
  } catch (error) {
    const state = sqlState(error);
    if (state === INSUFFICIENT_PRIVILEGE) return 'works';
    return state === INVALID_PASSWORD ? 'refused' : 'unknown';
  }
}

const INVALID_PASSWORD = '28P01';

/** Before a statement is sent that would stand in the server's log with its verifiers. */
async function refuseWithoutRight(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ may: boolean }>(
    'SELECT rolcreaterole OR rolsuper AS may FROM pg_roles WHERE rolname = current_user',
  );
  if (!rows[0]!.may) throw explainMissingRight('permission denied to create or alter roles', null);
}

function roleStatements(service: string, isNew: boolean, password: string): string {
  const role = escapeIdentifier(roleOf(service));
  return `
    ${isNew ? `CREATE ROLE ${role} LOGIN;` : ''}
    ALTER ROLE ${role} PASSWORD ${escapeLiteral(scramVerifier(password))};
    ALTER ROLE ${role} SET search_path = ${escapeIdentifier(service)};
    COMMENT ON ROLE ${role} IS ${escapeLiteral(MARK)};`;
}

/** Comment of a role that has a password. */
const MARK = 'Watchword, password';

/**
 * Returns statements that create a schema. The administrator owns it. Services may read and write
 * the rows of its tables. They may not alter, drop or truncate tables, nor switch a trigger off.
 * The statements grant default privileges only, so a migration that revokes one is not overridden.
 */
export function schemaRights(schema: string, services: readonly string[]): string {
  const name = escapeIdentifier(schema);
  const roles = services.map((service) => escapeIdentifier(roleOf(service))).join(', ');
  const inSchema = `ALTER DEFAULT PRIVILEGES IN SCHEMA ${name}`;
  return `
    CREATE SCHEMA IF NOT EXISTS ${name};
    REVOKE ALL ON SCHEMA ${name} FROM PUBLIC;
    GRANT USAGE ON SCHEMA ${name} TO ${roles};
    ${inSchema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${roles};
    ${inSchema} GRANT USAGE, SELECT ON SEQUENCES TO ${roles};
    ${inSchema} GRANT EXECUTE ON FUNCTIONS TO ${roles}`;
}
