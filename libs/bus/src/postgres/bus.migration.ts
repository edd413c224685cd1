import type { QueryRunner } from 'typeorm';
import { ALL_TOPICS, type Topic } from '@watchword/contracts';
import { createClient, roleOf, type SchemaPlan } from '@watchword/postgres';

/**
 * The embedded bus' own schema: how far each group has read, and what it gave up on. The logs
 * themselves are the services' outboxes.
 */
class CreateBusTables1763510400000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE offsets (
        topic text NOT NULL,
        consumer_group text NOT NULL,
        xid xid8 NOT NULL DEFAULT '0',
        position bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (topic, consumer_group)
      ) WITH (fillfactor = 50);

      CREATE TABLE dead_letters (
        topic text NOT NULL,
        consumer_group text NOT NULL,
        xid xid8 NOT NULL,
        position bigint NOT NULL,
        key text NOT NULL,
        message_id text NOT NULL,
        type text NOT NULL,
        traceparent text,
        occurred_at timestamptz NOT NULL,
        payload text NOT NULL,
        reason text NOT NULL,
        attempts integer NOT NULL,
        died_at timestamptz NOT NULL DEFAULT now(),
        replay_asked_at timestamptz,
        PRIMARY KEY (topic, consumer_group, position)
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

/** Goes into `migrate` beside the plans of the services; its role needs a password there. */
export const busPlan: SchemaPlan = {
  schema: 'bus',
  migrations: [CreateBusTables1763510400000],
  oldestProgram: CreateBusTables1763510400000,
};

/** Two processes that start at once must not grant at once. */
const grantLock = 0x62_75_73;

/**
 * Lets the role of the bus read, fill and prune the outboxes. To be called at every start, when the
 * services' migrations have run; `adminUrl` is a user that owns the schemas.
 */
export async function provisionBus(
  adminUrl: string,
  topics: readonly Topic[] = ALL_TOPICS,
): Promise<void> {
  const admin = createClient({ url: adminUrl, applicationName: 'watchword-bus-rights' });
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [grantLock]);
    for (const owner of new Set(topics.map((topic) => topic.owner))) {
      await admin.query(`
        GRANT USAGE ON SCHEMA ${owner} TO ${roleOf('bus')};
        GRANT SELECT, INSERT, DELETE ON ${owner}.outbox TO ${roleOf('bus')};
      `);
    }
  } finally {
    await admin.end();
  }
}
