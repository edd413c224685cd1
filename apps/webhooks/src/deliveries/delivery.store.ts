import { Inject, Injectable } from '@nestjs/common';
import { crashPoint } from '@watchword/observability';
import { DATABASE } from '@watchword/platform';
import { plainArray, type Queryable, statement } from '@watchword/postgres';
import type { EndpointId, EventId } from '@watchword/contracts';
import type { AttemptResult, PendingDelivery } from './delivery.js';
import { isGone } from './retry-schedule.policy.js';

/** Room for deliveries of an endpoint at the caller. */
export interface Slots {
  endpointId: EndpointId;
  count: number;
}

/** An endpoint with deliveries to make, and when the first of them is due. */
export interface DueEndpoint {
  endpointId: EndpointId;
  dueAt: Date;
}

/** Due deliveries that no process holds. */
export interface Overdue {
  /** Counting stops at 10 000. */
  count: number;
  /** Seconds for which the first of them has been due. */
  oldestSeconds: number;
}

interface ClaimedRow extends Omit<PendingDelivery, 'event' | 'leasedUntilMs'> {
  eventId: EventId;
  type: string;
  body: string;
}

const claim = statement(
  'webhooks.claim-due-deliveries',
  `SELECT workspace_id AS "workspaceId", delivery_id AS "deliveryId",
     endpoint_id AS "endpointId", endpoint_version AS "endpointVersion",
     attempt_count AS "attemptCount", event_id AS "eventId", type, body
   FROM webhooks.claim_due_deliveries($1::uuid[], $2::integer[], $3, $4)`,
  'once',
);

const record = statement(
  'webhooks.record-webhook-attempts',
  `SELECT endpoint_id AS "endpointId" FROM webhooks.record_webhook_attempts(
     $1::uuid[], $2::uuid[], $3::smallint[], $4::timestamptz[], $5::smallint[], $6::integer[],
     $7::text[], $8::text[], $9::text[], $10::timestamptz[], $11::uuid[], $12::integer[], $13)`,
  'once',
);

/** Due again as before, unless its attempt was recorded meanwhile. */
const release = statement(
  'webhooks.release-deliveries',
  `UPDATE webhooks.deliveries AS delivery SET due_at = next_attempt_at
   FROM unnest($1::uuid[], $2::uuid[], $3::smallint[])
     AS held (workspace_id, delivery_id, attempt_count)
   WHERE delivery.workspace_id = held.workspace_id AND delivery.id = held.delivery_id
     AND delivery.status = 'pending' AND delivery.attempt_count = held.attempt_count`,
);

const firstDue = statement(
  'webhooks.first-due-of-endpoints',
  `SELECT lane.endpoint_id AS "endpointId", first.due_at AS "dueAt"
   FROM unnest($1::uuid[]) AS lane (endpoint_id)
   CROSS JOIN LATERAL (
     SELECT due_at FROM webhooks.deliveries AS delivery
     WHERE delivery.endpoint_id = lane.endpoint_id AND due_at IS NOT NULL
     ORDER BY due_at LIMIT 1
   ) AS first
   WHERE first.due_at <= $2`,
);

/** Walks the index from endpoint to endpoint. Rows behind the first of each are not read. */
const LANES = `
  lane AS (
     (SELECT endpoint_id, due_at FROM webhooks.deliveries
      WHERE due_at IS NOT NULL ORDER BY endpoint_id, due_at LIMIT 1)
     UNION ALL
     SELECT next.endpoint_id, next.due_at FROM lane
     CROSS JOIN LATERAL (
       SELECT endpoint_id, due_at FROM webhooks.deliveries AS delivery
       WHERE due_at IS NOT NULL AND delivery.endpoint_id > lane.endpoint_id
       ORDER BY endpoint_id, due_at LIMIT 1
     ) AS next
   )`;

const dueEndpoints = statement(
  'webhooks.due-endpoints',
  `WITH RECURSIVE ${LANES}
   SELECT endpoint_id AS "endpointId", due_at AS "dueAt" FROM lane WHERE due_at <= $1
   ORDER BY due_at LIMIT 10000`,
);

/** Only due rows of each endpoint are read, not those that wait for their next attempt. */
const overdue = statement(
  'webhooks.overdue',
  `WITH RECURSIVE ${LANES}, late AS (
     SELECT FROM lane
     CROSS JOIN LATERAL (
       SELECT FROM webhooks.deliveries AS delivery
       WHERE delivery.endpoint_id = lane.endpoint_id AND delivery.due_at <= $1
     ) AS due
     WHERE lane.due_at <= $1 LIMIT 10000
   )
   SELECT (SELECT count(*)::integer FROM late) AS count,
     coalesce(extract(epoch FROM $1::timestamptz - (SELECT min(due_at) FROM lane WHERE due_at <= $1)), 0)::float8
       AS "oldestSeconds"`,
);

/** Notes that this replica delivers, forgets those that no longer do, and counts. */
const replicas = statement(
  'webhooks.replicas',
  `WITH gone AS (DELETE FROM webhooks.replicas WHERE seen_at < $3 AND id <> $1),
   own AS (
     INSERT INTO webhooks.replicas (id, seen_at) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
   )
   SELECT 1 + count(*)::integer AS count FROM webhooks.replicas WHERE id <> $1 AND seen_at >= $3`,
);

@Injectable()
export class DeliveryStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async claim(
    slotsByEndpoint: readonly Slots[],
    at: Date,
    leasedUntil: Date,
  ): Promise<PendingDelivery[]> {
    crashPoint('webhooks.claim.before-commit');
    const { rows } = await this.database.query<ClaimedRow>(claim, [
      slotsByEndpoint.map(({ endpointId }) => endpointId),
      slotsByEndpoint.map(({ count }) => count),
      at,
      leasedUntil,
    ]);
    crashPoint('webhooks.claim.after-commit');
    return rows.map(({ eventId, type, body, ...delivery }) => ({
      ...delivery,
      leasedUntilMs: leasedUntil.getTime(),
      event: { id: eventId, type, body: Buffer.from(body, 'utf8') },
    }));
  }

  /** Answers the endpoints that were disabled by it. */
  async record(results: readonly AttemptResult[], at: Date): Promise<EndpointId[]> {
    const gone = results.filter(({ outcome }) => isGone(outcome));
    crashPoint('webhooks.record.before-commit');
    const { rows } = await this.database.query<{ endpointId: EndpointId }>(record, [
      plainArray(results.map(({ delivery }) => delivery.workspaceId)),
      plainArray(results.map(({ delivery }) => delivery.deliveryId)),
      plainArray(results.map(({ delivery }) => delivery.attemptCount + 1)),
      plainArray(results.map(({ attemptedAtMs }) => momentOf(attemptedAtMs))),
      plainArray(results.map(({ outcome }) => outcome.statusCode)),
      plainArray(results.map(({ outcome }) => outcome.latencyMs)),
      results.map(({ outcome }) => outcome.responseBody),
      results.map(({ outcome }) => outcome.error),
      plainArray(results.map(({ status }) => status)),
      plainArray(results.map(({ nextAttemptAtMs: at }) => (at === null ? null : momentOf(at)))),
      plainArray(gone.map(({ delivery }) => delivery.endpointId)),
      plainArray(gone.map(({ delivery }) => delivery.endpointVersion)),
      at,
    ]);
    crashPoint('webhooks.record.after-commit');
    return rows.map(({ endpointId }) => endpointId);
  }

  async release(deliveries: readonly PendingDelivery[]): Promise<void> {
    crashPoint('webhooks.release.before-commit');
    await this.database.query(release, [
      deliveries.map(({ workspaceId }) => workspaceId),
      deliveries.map(({ deliveryId }) => deliveryId),
      deliveries.map(({ attemptCount }) => attemptCount),
    ]);
    crashPoint('webhooks.release.after-commit');
  }

  async firstDueOf(endpointIds: readonly EndpointId[], until: Date): Promise<DueEndpoint[]> {
    return (await this.database.query<DueEndpoint>(firstDue, [endpointIds, until])).rows;
  }

  async dueEndpoints(until: Date): Promise<DueEndpoint[]> {
    return (await this.database.query<DueEndpoint>(dueEndpoints, [until])).rows;
  }

  /** Returns how many replicas were seen to deliver since then, this one included. */
  async replicas(id: string, at: Date, since: Date): Promise<number> {
    const { rows } = await this.database.query<{ count: number }>(replicas, [id, at, since]);
    return rows[0]!.count;
  }

  /** Reads as few rows as are due; for metrics. */
  async overdue(at: Date): Promise<Overdue> {
    const { rows } = await this.database.query<Overdue>(overdue, [at]);
    return rows[0] as Overdue;
  }
}

const momentOf = (atMs: number): string => new Date(atMs).toISOString();
