import { createPool } from '@watchword/postgres';
import { waitUntil } from '../support/wait-until.ts';

/** As many as a point is passed at most, and some. */
const PLANTED = 60;
const PATIENCE_MS = 30_000;

/** Plants messages of an unknown version, which only dead letters can end. */
export async function plantPoison(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, (query) =>
    query(
      `INSERT INTO dispatch.outbox (topic, reader, key, message_id, type, occurred_at, payload)
       SELECT 'svc.message-events.v1', 'webhooks.fan-out', 'poison', 'poison-' || gen_random_uuid(),
         'svc.message-event.v99', now(), '{}'
       FROM generate_series(1, ${PLANTED})`,
    ),
  );
}

/** Once all of them are dead letters: what else is there is for the checker to find. */
export async function removePoison(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (query) => {
    const left = `SELECT FROM dispatch.outbox WHERE key = 'poison' AND failed_at IS NULL`;
    await waitUntil('all poison to be buried', async () => (await query(left)).length === 0, {
      timeoutMs: PATIENCE_MS,
    });
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
