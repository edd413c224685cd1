import type { QueryRunner } from 'typeorm';
import { ALL_TOPICS, type Topic } from '@watchword/contracts';
import { createClient, roleOf, type SchemaPlan } from '@watchword/postgres';

/**
 * The embedded bus's own schema: the processes that run now. Messages are in the services' queues.
 */
class CreateBusTables1763510400000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE processes (
        id uuid PRIMARY KEY,
        seen_at timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 20);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

/** Pass it to `migrate` with the plans of the services. Its role needs a password there. */
export const busPlan: SchemaPlan = {
  schema: 'bus',
  migrations: [CreateBusTables1763510400000],
};

/** Advisory lock: two processes that start together must not grant at once. */
const GRANT_LOCK = 0x62_75_73;

/**
 * Lets the role of the bus read, fill and empty the queues. Call it at every start, after the
 * services' migrations. The user of `adminUrl` owns the schemas.
 */
export async function provisionBus(
  adminUrl: string,
  topics: readonly Topic[] = ALL_TOPICS,
): Promise<void> {
  const admin = createClient({ url: adminUrl, applicationName: 'watchword-bus-rights' });
  await admin.connect();
  try {
    const owners = [...new Set(topics.map((topic) => topic.owner))];
    if (await isGranted(admin, owners)) return;
    const grants = owners.map(
      (owner) => `
        GRANT USAGE ON SCHEMA ${owner} TO ${roleOf('bus')};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ${owner}.message_queue, ${owner}.message_queue_readers TO ${roleOf('bus')};`,
    );
    await admin.query(`SELECT pg_advisory_xact_lock(${GRANT_LOCK}); ${grants.join('')}`);
  } finally {
    await admin.end();
  }
}

async function isGranted(
  admin: ReturnType<typeof createClient>,
  owners: readonly string[],
): Promise<boolean> {
  const { rows } = await admin.query<{ is_granted: boolean }>(
    `SELECT bool_and(has_schema_privilege($1, owner, 'USAGE') AND (
              SELECT bool_and(has_table_privilege($1, owner || '.message_queue', privilege))
                FROM unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege)) AS is_granted
       FROM unnest($2::text[]) AS owner`,
    [roleOf('bus'), owners],
  );
  return rows[0]!.is_granted;
}
