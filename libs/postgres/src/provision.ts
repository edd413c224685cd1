import { createHash } from 'node:crypto';
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Client } from 'pg';
import { sqlState } from './database-errors.js';

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

/**
 * Creates the roles or renews their passwords. Roles belong to the cluster, not to a database.
 */
export async function provisionRoles(
  admin: Client,
  passwords: Readonly<Record<string, string>>,
): Promise<ProvisionedRoles> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeRoles(admin, passwords);
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
  passwords: Readonly<Record<string, string>>,
): Promise<ProvisionedRoles> {
  const services = Object.keys(passwords);
  const { rows } = await admin.query<{ role: string; comment: string | null }>(
    `SELECT rolname AS role, shobj_description(oid, 'pg_authid') AS comment
       FROM pg_roles WHERE rolname = ANY ($1)`,
    [services.map(roleOf)],
  );
  const known = new Map(rows.map(({ role, comment }) => [role, comment ?? '']));
  const isNew = (service: string) => !known.has(roleOf(service));
  const hasOther = (service: string) => {
    const before = known.get(roleOf(service)) ?? '';
    return before.startsWith(MARK) && before !== markOf(passwords[service]!);
  };
  await admin.query(
    services.map((one) => roleStatements(one, passwords[one]!, isNew(one))).join('\n'),
  );
  return { others: services.filter(hasOther), hasNew: services.some(isNew) };
}

function roleStatements(service: string, password: string, isNew: boolean): string {
  const role = escapeIdentifier(roleOf(service));
  return `
    ${isNew ? `CREATE ROLE ${role} LOGIN;` : ''}
    ALTER ROLE ${role} PASSWORD ${escapeLiteral(password)};
    ALTER ROLE ${role} SET search_path = ${escapeIdentifier(service)};
    COMMENT ON ROLE ${role} IS ${escapeLiteral(markOf(password))};`;
}

const MARK = 'Watchword, password ';

/** A hash of a password of 256 bits does not reveal the password. */
function markOf(password: string): string {
  return `${MARK}${createHash('sha256').update(password).digest('hex').slice(0, 16)}`;
}

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
