import { crashPoint } from '@watchword/observability';
import type { Queryable } from '@watchword/postgres';
import type { RateLimitSnapshot } from '@watchword/rate-limit';

/** One row with all counters of this installation's one gateway. */
export class CounterStore {
  constructor(private readonly database: Queryable) {}

  async read(): Promise<{ windows: RateLimitSnapshot; takenAt: Date } | null> {
    const { rows } = await this.database.query<{ windows: string; taken_at: Date }>(
      'SELECT windows, taken_at FROM rate_limit_snapshot',
    );
    const [row] = rows;
    if (!row) return null;
    return { windows: JSON.parse(row.windows) as RateLimitSnapshot, takenAt: row.taken_at };
  }

  /** The windows as JSON. */
  async write(windows: string, takenAt: Date): Promise<void> {
    crashPoint('gateway.keep-counters.before-commit');
    await this.database.query(
      `INSERT INTO rate_limit_snapshot (windows, taken_at) VALUES ($1, $2)
       ON CONFLICT (only_row) DO UPDATE SET windows = excluded.windows, taken_at = excluded.taken_at`,
      [windows, takenAt],
    );
    crashPoint('gateway.keep-counters.after-commit');
  }
}
