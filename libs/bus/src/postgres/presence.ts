import { randomUUID } from 'node:crypto';
import { type Queryable, statement } from '@watchword/postgres';

const beat = statement(
  'bus-presence-beat',
  `WITH quickly AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
     gone AS (DELETE FROM bus.processes WHERE seen_at < now() - interval '1 minute'),
     seen AS (INSERT INTO bus.processes (id) SELECT $1::uuid FROM quickly
       ON CONFLICT (id) DO UPDATE SET seen_at = now())
   SELECT count(*)::integer AS others FROM bus.processes
    WHERE id <> $1::uuid AND seen_at > now() - interval '5 s'`,
  'once',
);

const leave = statement('bus-presence-leave', 'DELETE FROM bus.processes WHERE id = $1::uuid');

/** Tells the processes on one database of each other. A killed one is forgotten after seconds. */
export class Presence {
  private readonly id = randomUUID();

  constructor(private readonly database: Queryable) {}

  /** Returns how many others there are. */
  async beat(): Promise<number> {
    const { rows } = await this.database.query<{ others: number }>(beat, [this.id]);
    return rows[0]!.others;
  }

  async leave(): Promise<void> {
    await this.database.query(leave, [this.id]).catch(() => undefined);
  }
}
