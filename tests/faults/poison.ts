import { createPool } from '@watchword/postgres';
import { waitUntil } from '../support/wait-until.ts';

/** As many as a point is passed at most, and some. */
const PLANTED = 60;
const PATIENCE_MS = 30_000;

/** Plants messages of an unknown version, which only dead letters can end. */
export async function plantPoison(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, (query) =>
    query(
      `INSERT INTO dispatch.outbox (topic, key, message_id, type, occurred_at, payload)
       SELECT 'svc.message-events.v1', 'poison', 'poison-' || gen_random_uuid(),
         'svc.message-event.v99', now(), '{}'
       FROM generate_series(1, ${PLANTED})`,
    ),
  );
}

/** Once all of them are dead letters: what else is there is for the checker to find. */
export async function removePoison(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (query) => {
    const [{ planted } = { planted: 0 }] = await query(
      `SELECT count(*)::int AS planted FROM dispatch.outbox WHERE key = 'poison'`,
    );
    const groups = `SELECT count(*)::int AS buried FROM bus.dead_letters WHERE key = 'poison'`;
    await waitUntil(
      'all poison to be buried',
      async () => (await query(groups))[0]!['buried'] === planted,
      { timeoutMs: PATIENCE_MS },
    );
    await query(`DELETE FROM bus.dead_letters WHERE key = 'poison'`);
    await query(`DELETE FROM dispatch.outbox WHERE key = 'poison'`);
  });
}

type Query = (text: string) => Promise<Record<string, unknown>[]>;

async function withDatabase<Result>(
  url: string,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const database = createPool({ url, applicationName: 'watchword-poison', max: 1 });
  try {
    return await work(async (text) => (await database.query(text)).rows);
  } finally {
    await database.end();
  }
}
