import type { Queryable } from '@watchword/postgres';
import { waitUntil } from './wait-until.js';

/** Waits until a session of the database waits for a lock. The sessions share a role. */
export async function lockAwaited(database: Queryable): Promise<void> {
  await waitUntil('a session that waits for a lock', async () => {
    const { rowCount } = await database.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount > 0;
  });
}
