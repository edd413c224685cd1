import { Inject, Injectable } from '@nestjs/common';
import {
  type DeliveryId,
  type EndpointId,
  type EventId,
  idFloor,
  type WorkspaceId,
} from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { DeliveryRow } from './delivery-row.js';

export interface DeliveryFilter {
  readonly before: string | null;
  readonly limit: number;
  readonly status: string | null;
  readonly eventType: string | null;
  readonly createdAfter: Date | null;
  /** Whether only events of test messages are meant. */
  readonly testModeOnly: boolean;
}

export interface DeliveryPage {
  readonly rows: readonly DeliveryRow[];
  /** The last delivery of the page. Null at the end. */
  readonly next: string | null;
}

/** Most deliveries that one call reads, so that a rare filter cannot make it read all. */
const WALKED_MAX = 5_000;

/** The URL is the endpoint's current one. The type is the name in the endpoint's variant. */
const shown = (deliveries: string) => `
  SELECT delivery.id, delivery.event_id AS "eventId",
    CASE endpoint.variant WHEN 'a' THEN event.variant_a_type ELSE event.variant_b_type END
      AS "eventType",
    delivery.endpoint_id AS "endpointId", endpoint.url, delivery.status,
    delivery.attempt_count AS "attemptCount",
    nullif(delivery.next_attempt_at, 'infinity') AS "nextAttemptAt",
    delivery.replay_of AS "replayOf", delivery.created_at AS "createdAt",
    coalesce(made.attempts, '[]') AS attempts
  FROM (${deliveries}) AS delivery
  JOIN webhooks.events AS event ON event.id = delivery.event_id
  JOIN webhooks.endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
      'attempted_at', attempted_at, 'status_code', status_code, 'latency_ms', latency_ms,
      'response_body', response_body, 'error', error
    ) ORDER BY number) AS attempts
    FROM webhooks.delivery_attempts AS attempt WHERE attempt.delivery_id = delivery.id
  ) AS made
  ORDER BY delivery.id DESC`;

/**
 * A delivery that outlived its event is in no list. As a scalar it is looked up row by row, and
 * changes no plan.
 */
const HAS_EVENT = '(SELECT true FROM webhooks.events WHERE events.id = deliveries.event_id)';

/** Newest first, from an id on. */
const list = statement(
  'webhooks.list-deliveries',
  shown(`
    SELECT * FROM webhooks.deliveries
    WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id < $2) AND ${HAS_EVENT}
    ORDER BY id DESC LIMIT $3`),
);

const find = statement(
  'webhooks.find-delivery',
  shown('SELECT * FROM webhooks.deliveries WHERE workspace_id = $1 AND id = $2'),
);

/** Looked up event by event, so that each page of a message costs a few index entries. */
const ofEvents = statement(
  'webhooks.list-deliveries-of-events',
  shown(`
    SELECT made.* FROM unnest($2::text[]) AS wanted (event_id) CROSS JOIN LATERAL (
      SELECT * FROM webhooks.deliveries
      WHERE deliveries.event_id = wanted.event_id AND workspace_id = $1
      ORDER BY id LIMIT 100) AS made`),
);

const walked = `
  SELECT * FROM webhooks.deliveries
  WHERE workspace_id = $1 AND endpoint_id = $2 AND ($3::uuid IS NULL OR id < $3) AND id > $4
    AND created_at > $5 AND ${HAS_EVENT}
  ORDER BY id DESC`;

const listOfEndpoint = statement(
  'webhooks.list-deliveries-of-endpoint',
  shown(`
    SELECT walked.* FROM (
      ${walked} LIMIT CASE
        WHEN $6::text IS NULL AND $7::text IS NULL AND NOT $9::boolean THEN $8 ELSE ${WALKED_MAX} END
    ) AS walked
    JOIN webhooks.events AS event ON event.id = walked.event_id
    WHERE ($6 IS NULL OR walked.status = $6) AND ($7 IS NULL OR event.variant_b_type = $7)
      AND (NOT $9 OR event.test_mode)
    ORDER BY walked.id DESC LIMIT $8::integer`),
);

/** End of a walk that found less than was asked for. */
const walkEnd = statement(
  'webhooks.list-deliveries-walk-end',
  `SELECT id FROM (${walked} OFFSET ${WALKED_MAX - 1} LIMIT 1) AS last`,
);

@Injectable()
export class DeliveryListStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async list(
    workspaceId: WorkspaceId,
    before: string | null,
    limit: number,
  ): Promise<DeliveryRow[]> {
    const values = [workspaceId, before, limit];
    return (await this.database.query<DeliveryRow>(list, values)).rows;
  }

  async find(workspaceId: WorkspaceId, id: DeliveryId): Promise<DeliveryRow | null> {
    const { rows } = await this.database.query<DeliveryRow>(find, [workspaceId, id]);
    return rows[0] ?? null;
  }

  async ofEvents(workspaceId: WorkspaceId, eventIds: readonly EventId[]): Promise<DeliveryRow[]> {
    const values = [workspaceId, eventIds];
    return (await this.database.query<DeliveryRow>(ofEvents, values)).rows;
  }

  async ofEndpoint(
    workspaceId: WorkspaceId,
    endpointId: EndpointId,
    filter: DeliveryFilter,
  ): Promise<DeliveryPage> {
    const { before, limit, status, eventType, createdAfter, testModeOnly } = filter;
    const after = createdAfter ?? new Date(0);
    const walk = [workspaceId, endpointId, before, idFloor(after.getTime()), after];
    // One row more than the page shows whether there is a next page.
    const values = [...walk, status, eventType, limit + 1, testModeOnly];
    const { rows } = await this.database.query<DeliveryRow>(listOfEndpoint, values);
    const page = rows.slice(0, limit);
    if (rows.length > limit) return { rows: page, next: page.at(-1)!.id };
    if (status === null && eventType === null && !testModeOnly) return { rows: page, next: null };
    const end = await this.database.query<{ id: DeliveryId }>(walkEnd, walk);
    return { rows: page, next: end.rows[0]?.id ?? null };
  }
}
