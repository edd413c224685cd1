import type { Queryable } from '@watchword/postgres';
import type { RateLimitSnapshot } from '@watchword/rate-limit';

/** One row with all counters of this installation's one gateway. */
export class CounterStore {
  constructor(private readonly database: Queryable) {}

  async read(): Promise<RateLimitSnapshot> {
    const { rows } = await this.database.query<{ windows: string }>(
      'SELECT windows FROM rate_limit_snapshot',
    );
    return rows[0] ? (JSON.parse(rows[0].windows) as RateLimitSnapshot) : [];
  }

  async write(windows: RateLimitSnapshot): Promise<void> {
    await this.database.query(
      `INSERT INTO rate_limit_snapshot (windows) VALUES ($1)
       ON CONFLICT (only_row) DO UPDATE SET windows = excluded.windows, taken_at = now()`,
      [JSON.stringify(windows)],
    );
  }
}
