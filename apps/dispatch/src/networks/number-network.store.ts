import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { StoredNetwork, NetworkUpdate } from './network-update.policy.js';

/** `judge_numbers` has the same: `number-networks.spec.ts` asks both. */
const KEPT = "interval '90 days'";
const PURGE_BATCH = 10_000;

const find = statement(
  'dispatch_find_networks',
  `SELECT (
     SELECT known.network FROM number_networks AS known
     WHERE known.destination = asked.destination AND known.learned_at > $2::timestamptz - ${KEPT}
   ) AS network
   FROM unnest($1::text[]) WITH ORDINALITY AS asked (destination, ordinal)
   ORDER BY asked.ordinal`,
);

/** An older report than the last one changes nothing. */
const write = statement(
  'dispatch_write_networks',
  `WITH reported AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[])
       AS one (destination, network, reported_at)
   ), ended AS (
     DELETE FROM number_networks AS known USING reported
     WHERE reported.network IS NULL AND known.destination = reported.destination
       AND known.learned_at <= reported.reported_at
   )
   INSERT INTO number_networks AS known (destination, network, learned_at)
   SELECT destination, network, reported_at FROM reported
   WHERE network IS NOT NULL ORDER BY destination
   ON CONFLICT (destination) DO UPDATE
   SET network = excluded.network, learned_at = excluded.learned_at
   WHERE known.learned_at < excluded.learned_at`,
);

/** One statement for both, because it runs every minute. */
const refresh = statement(
  'dispatch_refresh_networks',
  `WITH gone AS (
     DELETE FROM number_networks WHERE destination IN (
       SELECT destination FROM number_networks
       WHERE learned_at <= $1::timestamptz - ${KEPT} LIMIT ${PURGE_BATCH}))
   SELECT destination, network, learned_at AS "learnedAt" FROM number_networks
   WHERE learned_at > $2 ORDER BY learned_at DESC LIMIT $3`,
);

/** Networks of ported numbers, for 90 days after a report named them. */
@Injectable()
export class NumberNetworkStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns the kept network of each number, in their order; null where none is kept. */
  async find(destinations: readonly string[], at: Date): Promise<(string | null)[]> {
    type Row = { network: string | null };
    const { rows } = await this.database.query<Row>(find, [destinations, at]);
    return rows.map(({ network }) => network);
  }

  /** Each number at most once. */
  async write(networkUpdates: readonly NetworkUpdate[]): Promise<void> {
    await this.database.query(write, [
      networkUpdates.map(({ destination }) => destination),
      networkUpdates.map(({ network }) => network),
      networkUpdates.map(({ at }) => at.toISOString()),
    ]);
  }

  /** Deletes networks after their time. Returns those learned since, newest first. */
  async refresh(
    at: Date,
    since: Date,
    limit: number,
  ): Promise<(StoredNetwork & { destination: string })[]> {
    type Row = StoredNetwork & { destination: string };
    return (await this.database.query<Row>(refresh, [at, since, limit])).rows;
  }
}
