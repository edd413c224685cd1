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

/**
 * Creates the role or renews its password. Roles belong to the cluster, not to a database. Returns
 * whether it had another password before, which other installations may use.
 */
export async function provisionRole(
  admin: Client,
  service: string,
  password: string,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeRole(admin, service, password);
    } catch (error) {
      const state = sqlState(error) ?? '';
      if (!collisionStates.includes(state) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/**
 * Two databases of one cluster may be provisioned at once, and no lock covers both: tuple
 * concurrently updated, unique violation, duplicate object. A retry succeeds.
 */
const collisionStates = ['XX000', '23505', '42710'];
const ATTEMPTS_MAX = 10;

async function writeRole(admin: Client, service: string, password: string): Promise<boolean> {
  const role = escapeIdentifier(roleOf(service));
  const known = await admin.query<{ comment: string | null }>(
    `SELECT shobj_description(oid, 'pg_authid') AS comment FROM pg_roles WHERE rolname = $1`,
    [roleOf(service)],
  );
  const mark = markOf(password);
  const before = known.rows[0]?.comment ?? '';
  await admin.query(`
    ${known.rowCount === 0 ? `CREATE ROLE ${role} LOGIN;` : ''}
    ALTER ROLE ${role} PASSWORD ${escapeLiteral(password)};
    ALTER ROLE ${role} SET search_path = ${escapeIdentifier(service)};
    COMMENT ON ROLE ${role} IS ${escapeLiteral(mark)}`);
  return before !== mark && before.startsWith(MARK);
}

const MARK = 'Watchword, password ';

/** A hash of a password of 256 bits does not reveal the password. */
function markOf(password: string): string {
  return `${MARK}${createHash('sha256').update(password).digest('hex').slice(0, 16)}`;
}

/**
 * Creates a schema that the administrator owns. Services may read and write the rows of its tables.
 * They may not alter, drop or truncate tables, nor switch a trigger off. It grants default
 * privileges only, so a migration that revokes one is not overridden.
 */
export async function provisionSchema(
  admin: Client,
  schema: string,
  services: readonly string[] = [schema],
): Promise<void> {
  const name = escapeIdentifier(schema);
  const roles = services.map((service) => escapeIdentifier(roleOf(service))).join(', ');
  const inSchema = `ALTER DEFAULT PRIVILEGES IN SCHEMA ${name}`;
  await admin.query(`
    CREATE SCHEMA IF NOT EXISTS ${name};
    REVOKE ALL ON SCHEMA ${name} FROM PUBLIC;
    GRANT USAGE ON SCHEMA ${name} TO ${roles};
    ${inSchema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${roles};
    ${inSchema} GRANT USAGE, SELECT ON SEQUENCES TO ${roles};
    ${inSchema} GRANT EXECUTE ON FUNCTIONS TO ${roles}`);
}
