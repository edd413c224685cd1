import { Inject, Injectable } from '@nestjs/common';
import type { EventId, MessageId, WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/** Most events that one call reads, so that a rare type cannot make it read all. */
const WALKED_MAX = 10_000;

/** Along the sequence of a workspace. A filter is tested on the walked rows. */
const WALKED = `
  FROM webhooks.events
  WHERE workspace_id = $1 AND sequence > $2 AND sequence > 0 AND occurred_at > $3
  ORDER BY sequence`;

/** Each event in the envelope of its message's family, under that family's name. */
const list = statement(
  'webhooks.list-events',
  `WITH walked AS (
     SELECT sequence, test_mode,
       CASE family WHEN 'a' THEN variant_a_type ELSE variant_b_type END AS type,
       CASE family WHEN 'a' THEN variant_a_body ELSE variant_b_body END AS body
     ${WALKED}
     LIMIT CASE WHEN $4::text IS NULL AND NOT $6::boolean THEN $5::integer ELSE ${WALKED_MAX} END
   )
   SELECT sequence, body FROM walked
   WHERE ($4 IS NULL OR type = $4) AND (NOT $6 OR test_mode)
   ORDER BY sequence LIMIT $5`,
);

/** End of a walk that found less than was asked for. */
const walkEnd = statement(
  'webhooks.list-events-walk-end',
  `SELECT sequence ${WALKED} OFFSET ${WALKED_MAX - 1} LIMIT 1`,
);

const lastSequence = statement(
  'webhooks.last-sequence',
  'SELECT last_sequence AS sequence FROM webhooks.sequences WHERE workspace_id = $1',
);

const ofMessage = statement(
  'webhooks.list-events-of-message',
  `SELECT id, sequence, occurred_at AS "occurredAt",
     CASE family WHEN 'a' THEN coalesce(variant_a_type, variant_b_type) ELSE variant_b_type END AS type
   FROM webhooks.events WHERE message_id = $2 AND workspace_id = $1
   ORDER BY sequence LIMIT 100`,
);

export interface EventOfMessage {
  readonly id: EventId;
  readonly type: string;
  readonly sequence: number;
  readonly occurredAt: Date;
}

export interface EventListRequest {
  readonly workspaceId: WorkspaceId;
  readonly after: number;
  readonly limit: number;
  readonly type: string | null;
  /** Whether to list only events of test messages. */
  readonly testModeOnly: boolean;
  readonly since: Date;
}

export interface EventRow {
  readonly sequence: number;
  readonly body: string;
}

export interface EventPage {
  readonly rows: readonly EventRow[];
  /** Last sequence of the page. Null at the end. */
  readonly next: number | null;
}

/** Events of a workspace, oldest first. */
@Injectable()
export class EventListStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async page(request: EventListRequest): Promise<EventPage> {
    const { workspaceId, after, limit, type, testModeOnly, since } = request;
    // One row more than the page shows whether there is a next page.
    const values = [workspaceId, after, since, type, limit + 1, testModeOnly];
    const { rows } = await this.database.query<EventRow>(list, values);
    const shown = rows.slice(0, limit);
    if (rows.length > limit) return { rows: shown, next: shown.at(-1)!.sequence };
    if (type === null && !testModeOnly) return { rows: shown, next: null };
    const walk = [workspaceId, after, since];
    const end = await this.database.query<{ sequence: number }>(walkEnd, walk);
    return { rows: shown, next: end.rows[0]?.sequence ?? null };
  }

  async lastSequence(workspaceId: WorkspaceId): Promise<number> {
    const { rows } = await this.database.query<{ sequence: number }>(lastSequence, [workspaceId]);
    return rows[0]?.sequence ?? 0;
  }

  async ofMessage(workspaceId: WorkspaceId, messageId: MessageId): Promise<EventOfMessage[]> {
    const values = [workspaceId, messageId];
    return (await this.database.query<EventOfMessage>(ofMessage, values)).rows;
  }
}
