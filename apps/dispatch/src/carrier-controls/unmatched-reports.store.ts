import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/**
 * An answer that a report overtook has come after two minutes. Bounded, because a wrong setting
 * parks each report of its account.
 */
const count = statement(
  'dispatch_count_unmatched_reports',
  `SELECT report->>'provider' AS id, count(*)::integer AS reports
   FROM (SELECT report FROM parked_reports
         WHERE parked_at < now() - interval '2 minutes' LIMIT 10000) p
   GROUP BY 1`,
);

/** Delivery reports that are held because they match no message. */
@Injectable()
export class UnmatchedReportsStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns how many there are, by their carrier accounts. */
  async byAccount(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.database.query<{ id: string; reports: number }>(count);
    return new Map(rows.map(({ id, reports }) => [id, reports]));
  }
}
