import { type Queryable, statement } from '@watchword/postgres';

/**
 * Extends the lease only for a gateway that has seen everything. After the commit of a change, a
 * lease that has not followed it can only expire.
 */
export const renewLease = statement(
  'gateway_renew_lease',
  `WITH current AS (SELECT number FROM change_number),
   renewed AS (
     INSERT INTO edges AS e (id, seen, lease_until)
     SELECT $1, number, clock_timestamp() + make_interval(secs => $3::float8 / 1000)
       FROM current WHERE number = $2
     ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, lease_until = excluded.lease_until
     RETURNING 1
   )
   SELECT number, EXISTS (SELECT FROM renewed) AS renewed FROM current`,
);

export interface Renewal {
  number: number;
  renewed: boolean;
}

const anyBehind = statement(
  'gateway_any_edge_behind',
  `SELECT EXISTS (
     SELECT FROM edges WHERE seen < $1 AND lease_until > clock_timestamp()
   ) AS behind`,
);

export class GatewayLeaseStore {
  constructor(private readonly database: Queryable) {}

  async lastChange(): Promise<number> {
    const { rows } = await this.database.query<{ number: number }>(
      'SELECT number FROM change_number',
    );
    return (rows[0] as { number: number }).number;
  }

  /** Returns whether a gateway may still use the state before this change. */
  async anyBehind(number: number): Promise<boolean> {
    const { rows } = await this.database.query<{ behind: boolean }>(anyBehind, [number]);
    return rows[0]?.behind === true;
  }

  async leave(id: string): Promise<void> {
    await this.database.query(
      `DELETE FROM edges WHERE id = $1 OR lease_until < now() - interval '1 hour'`,
      [id],
    );
  }
}
