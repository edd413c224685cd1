import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { Sought } from '../payloads/erased-body.policy.js';

/** Most rows that one call reads: bodies have some kilobytes. */
const WALKED_MAX = 2_000;

/** $2 is the needle; $3 says whether letters may differ in case. The letters of ASCII are folded alike in every collation. */
const hasNeedle = (text: string) =>
  `strpos(CASE WHEN $3::boolean THEN lower(lower((${text}) COLLATE "C") COLLATE "default") ELSE ${text} END, $2) > 0`;

/** No index has the numbers: a walk along the ids reads all events. */
const findEvents = statement(
  'webhooks.find-events-to-erase',
  `WITH walked AS MATERIALIZED (
     SELECT id, variant_a_body AS a, variant_b_body AS b FROM webhooks.events
     WHERE id > $1 ORDER BY id LIMIT ${WALKED_MAX}
   )
   SELECT
     (SELECT json_agg(walked) FROM walked WHERE ${hasNeedle('concat(a, b)')}) AS found,
     (SELECT id FROM walked ORDER BY id OFFSET ${WALKED_MAX - 1} LIMIT 1) AS next`,
);

const writeEvents = statement(
  'webhooks.erase-events',
  `UPDATE webhooks.events AS event SET variant_a_body = given.a, variant_b_body = given.b
   FROM json_to_recordset($1::json) AS given (id text, a text, b text)
   WHERE event.id = given.id`,
);

/** All attempts of a delivery are in one slice. */
const eraseAttempts = statement(
  'webhooks.erase-attempts',
  `WITH walked AS MATERIALIZED (
     SELECT delivery_id, number, response_body FROM webhooks.delivery_attempts
     WHERE delivery_id > $1::uuid ORDER BY delivery_id FETCH FIRST ${WALKED_MAX} ROWS WITH TIES
   ), erased AS (
     UPDATE webhooks.delivery_attempts AS attempt SET response_body = NULL
     FROM walked
     WHERE attempt.delivery_id = walked.delivery_id AND attempt.number = walked.number
       AND ${hasNeedle('walked.response_body')}
     RETURNING attempt.number
   )
   SELECT (SELECT count(*)::integer FROM erased) AS count, (
     SELECT delivery_id FROM walked
     WHERE (SELECT count(*) FROM walked) >= ${WALKED_MAX} ORDER BY delivery_id DESC LIMIT 1
   ) AS next`,
);

export interface EventBodies {
  readonly id: string;
  readonly a: string | null;
  readonly b: string | null;
}

/** Slices of events and of attempts, by id. `next` is the last id of a slice, null at the end. */
@Injectable()
export class EventErasureStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async find(after: string, { needle, anyCase }: Sought) {
    type Row = { found: EventBodies[] | null; next: string | null };
    const { rows } = await this.database.query<Row>(findEvents, [after, needle, anyCase]);
    return { found: rows[0]!.found ?? [], next: rows[0]!.next };
  }

  async write(bodies: readonly EventBodies[]): Promise<void> {
    if (bodies.length === 0) return;
    await this.database.query(writeEvents, [JSON.stringify(bodies)]);
  }

  /** Deletes answers of receivers that have the needle. */
  async eraseAttempts(after: string, { needle, anyCase }: Sought) {
    type Row = { count: number; next: string | null };
    const { rows } = await this.database.query<Row>(eraseAttempts, [after, needle, anyCase]);
    return rows[0]!;
  }
}
