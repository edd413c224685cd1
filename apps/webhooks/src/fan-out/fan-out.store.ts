import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';
import { DEFAULT_EVENTS } from '../payloads/event-types.policy.js';
import type { Occurrence } from './occurrence.policy.js';

/** A delivery that was just made. */
export interface NewDelivery {
  /** Which occurrence of the batch, from 1. */
  ordinal: number;
  sequence: number;
  deliveryId: string;
  endpointId: string;
  endpointVersion: number;
  /** Whether it is the caller's to attempt. */
  leased: boolean;
}

const fanOut = statement(
  'webhooks.fan-out',
  `SELECT ordinal, sequence, delivery_id AS "deliveryId", endpoint_id AS "endpointId",
     endpoint_version AS "endpointVersion", leased
   FROM webhooks.fan_out(
     $1::text[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::uuid[],
     $8, $9)`,
);

/** One statement, one transaction: the events of a batch, their numbers and their deliveries. */
export class FanOutStore {
  constructor(private readonly database: Queryable) {}

  async fanOut(
    occurrences: readonly Occurrence[],
    restingEndpointIds: readonly string[],
    at: Date,
    leasedUntil: Date,
  ): Promise<NewDelivery[]> {
    crashPoint('webhooks.fan-out.before-commit');
    const { rows } = await this.database.query<NewDelivery>(fanOut, [
      occurrences.map(({ eventId }) => eventId),
      occurrences.map(({ workspaceId }) => workspaceId),
      occurrences.map(({ type }) => type),
      occurrences.map(({ occurredAt }) => occurredAt),
      occurrences.map(({ head }) => head),
      DEFAULT_EVENTS,
      restingEndpointIds,
      at,
      leasedUntil,
    ]);
    crashPoint('webhooks.fan-out.after-commit');
    return rows;
  }
}
