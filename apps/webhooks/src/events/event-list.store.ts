import { type Queryable, statement } from '@watchword/postgres';

/** One call looks at no more events than this, so that a rare type cannot make it read them all. */
const WALKED_MAX = 10_000;

/** Along the numbers of a workspace; without a type every event that is looked at is shown. */
const LIST = statement(
  'webhooks.list-events',
  `WITH walked AS (
     SELECT sequence, variant_a_type AS type, variant_a_body AS body
     FROM webhooks.events
     WHERE workspace_id = $1 AND sequence > $2 AND occurred_at > $3
     ORDER BY sequence LIMIT CASE WHEN $4::text IS NULL THEN $5::integer ELSE ${WALKED_MAX} END
   )
   SELECT sequence, body FROM walked
   WHERE $4 IS NULL OR type = $4 ORDER BY sequence LIMIT $5`,
);

/** Where a walk ended that found less than was asked for. */
const WALK_END = statement(
  'webhooks.list-events-walk-end',
  `SELECT sequence FROM webhooks.events
   WHERE workspace_id = $1 AND sequence > $2 AND occurred_at > $3
   ORDER BY sequence OFFSET ${WALKED_MAX - 1} LIMIT 1`,
);

export interface EventListRequest {
  readonly workspaceId: string;
  readonly after: number;
  readonly limit: number;
  readonly type: string | null;
  readonly since: Date;
}

export interface EventRow {
  readonly sequence: number;
  readonly body: string;
}

export interface EventPage {
  readonly rows: readonly EventRow[];
  /** After which number it goes on; null at the end. */
  readonly next: number | null;
}

/** Events of a workspace, oldest first. */
export class EventListStore {
  constructor(private readonly database: Queryable) {}

  async page({ workspaceId, after, limit, type, since }: EventListRequest): Promise<EventPage> {
    // One more than asked for tells whether there is a next page.
    const values = [workspaceId, after, since, type, limit + 1];
    const { rows } = await this.database.query<EventRow>(LIST, values);
    const shown = rows.slice(0, limit);
    if (rows.length > limit) return { rows: shown, next: shown.at(-1)!.sequence };
    if (type === null) return { rows: shown, next: null };
    const walk = [workspaceId, after, since];
    const end = await this.database.query<{ sequence: number }>(WALK_END, walk);
    return { rows: shown, next: end.rows[0]?.sequence ?? null };
  }
}
