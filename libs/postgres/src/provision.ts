import pg from 'pg';

/** The login role of a service. It uses the tables of its schema and owns none of them. */
export function roleOf(service: string): string {
  return `watchword_${service}`;
}

/** The same database, as another user. */
export function urlFor(adminUrl: string, user: string, password: string): string {
  const url = new URL(adminUrl);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  return url.toString();
}

/** Creates the role or renews its password. Roles belong to the cluster, not to one database. */
export async function provisionRole(
  admin: pg.Client,
  service: string,
  password: string,
): Promise<void> {
  const role = pg.escapeIdentifier(roleOf(service));
  const known = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [roleOf(service)]);
  if (known.rowCount === 0) await admin.query(`CREATE ROLE ${role} LOGIN`);
  await admin.query(`ALTER ROLE ${role} PASSWORD ${pg.escapeLiteral(password)}`);
  await admin.query(`ALTER ROLE ${role} SET search_path = ${pg.escapeIdentifier(service)}`);
}

/**
 * Creates a schema owned by the administrator; the services may use what migrations make in it.
 * They may read and write rows; they may not alter, drop or truncate, nor switch a trigger off.
 * Only default privileges are granted: a migration that takes one back keeps having the last word.
 */
export async function provisionSchema(
  admin: pg.Client,
  schema: string,
  services: readonly string[] = [schema],
): Promise<void> {
  const name = pg.escapeIdentifier(schema);
  const roles = services.map((service) => pg.escapeIdentifier(roleOf(service))).join(', ');
  const inSchema = `ALTER DEFAULT PRIVILEGES IN SCHEMA ${name}`;
  await admin.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
  await admin.query(`REVOKE ALL ON SCHEMA ${name} FROM PUBLIC`);
  await admin.query(`GRANT USAGE ON SCHEMA ${name} TO ${roles}`);
  await admin.query(`${inSchema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${roles}`);
  await admin.query(`${inSchema} GRANT USAGE, SELECT ON SEQUENCES TO ${roles}`);
  await admin.query(`${inSchema} GRANT EXECUTE ON FUNCTIONS TO ${roles}`);
}
