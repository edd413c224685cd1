import { Inject, Injectable } from '@nestjs/common';
import { type HandOver, withBell } from '@watchword/bus';
import {
  DEFAULT_EVENTS,
  type DeliveryId,
  type EndpointId,
  TOPICS,
  type WorkspaceId,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { BoundedMap, HAND_OVER, PATIENT_DATABASE } from '@watchword/platform';
import { lines, linesAsArray, plainArray, type Queryable, statement } from '@watchword/postgres';
import type { Occurrence } from './occurrence.policy.js';

/** A delivery that was just made. */
export interface NewDelivery {
  /** Which occurrence of the batch, from 1. */
  ordinal: number;
  sequence: number;
  deliveryId: DeliveryId;
  endpointId: EndpointId;
  endpointVersion: number;
  variant: 'a' | 'b';
  /** Whether it is the caller's to attempt. */
  leased: boolean;
}

/** What is returned for an occurrence that lacks its body of variant B. */
interface Untold {
  ordinal: number;
  deliveryId: null;
  variant: null;
}

export interface FannedOut {
  readonly made: readonly NewDelivery[];
  /** Occurrences that need a body of variant B after all. Nothing was written of them. */
  readonly untold: readonly Occurrence[];
}

const KNOWN_MAX = 10_000;
const KNOWN_FOR_MS = 60_000;

const DEFAULT_TYPES = plainArray(DEFAULT_EVENTS);

const fanOut = statement(
  'webhooks.fan-out-occurrences',
  `SELECT ordinal, sequence, delivery_id AS "deliveryId", endpoint_id AS "endpointId",
     endpoint_version AS "endpointVersion", variant, leased
   FROM webhooks.fan_out_occurrences(
     ${withBell('$16', '$1::text[]')}, $2::uuid[], $3::text[], $4::boolean[],
     $5::timestamptz[], $6::text[], ${linesAsArray('$7')}, $8::text[], ${linesAsArray('$9')},
     ${linesAsArray('$10')}, $11::uuid[], $12::text[], $13::uuid[], $14, $15)`,
  'once',
);

/** One statement, one transaction: the events of a batch, their numbers and their deliveries. */
@Injectable()
export class FanOutStore {
  /**
   * When a workspace was last seen to have an endpoint of variant B. Others have no bodies of that
   * variant made and stored. It is a guess, which the statement corrects.
   */
  private readonly hasVariantB = new BoundedMap<WorkspaceId, number>(KNOWN_MAX);

  constructor(
    @Inject(PATIENT_DATABASE) private readonly database: Queryable,
    @Inject(HAND_OVER) private readonly handOver: HandOver,
  ) {}

  fanOut(
    occurrences: readonly Occurrence[],
    restingEndpointIds: readonly EndpointId[],
    at: Date,
    leasedUntil: Date,
  ): Promise<FannedOut> {
    const isPublished = this.handOver.isRead(TOPICS.workspaceEvents);
    const headOfB = (occurrence: Occurrence) =>
      isPublished || this.needsVariantB(occurrence) ? occurrence.b.head() : null;
    return this.handOver.around(async (bell) => {
      crashPoint('webhooks.fan-out.before-commit');
      const { rows } = await this.database.query<NewDelivery | Untold>(fanOut, [
        plainArray(occurrences.map(({ eventId }) => eventId)),
        plainArray(occurrences.map(({ workspaceId }) => workspaceId)),
        plainArray(occurrences.map(({ family }) => family)),
        plainArray(occurrences.map(({ testMode }) => testMode)),
        plainArray(occurrences.map(({ occurredAt }) => occurredAt)),
        plainArray(occurrences.map(({ a }) => a?.type ?? null)),
        lines(occurrences.map(({ a }) => a?.head ?? null)),
        plainArray(occurrences.map(({ b }) => b.type)),
        lines(occurrences.map(headOfB)),
        lines(occurrences.map((each) => (isPublished ? each.published() : null))),
        plainArray(occurrences.map(({ endpointId }) => endpointId)),
        DEFAULT_TYPES,
        plainArray(restingEndpointIds),
        at,
        leasedUntil,
        bell,
      ]);
      crashPoint('webhooks.fan-out.after-commit');
      // No consumer in this process reads the messages published of them.
      return { result: this.sorted(rows, occurrences), messages: () => [] };
    });
  }

  /** `GET /v1/events` shows events of family B, and those that variant A does not have, in variant B. */
  private needsVariantB({ workspaceId, family, a }: Occurrence): boolean {
    if (family === 'b' || a === null) return true;
    const atMs = this.hasVariantB.get(workspaceId);
    return atMs !== undefined && performance.now() - atMs < KNOWN_FOR_MS;
  }

  private sorted(
    rows: readonly (NewDelivery | Untold)[],
    occurrences: readonly Occurrence[],
  ): FannedOut {
    const made: NewDelivery[] = [];
    const untold: Occurrence[] = [];
    for (const row of rows) {
      const occurrence = occurrences[row.ordinal - 1]!;
      if (row.deliveryId === null) untold.push(occurrence);
      else made.push(row);
      if (row.variant !== 'a') this.hasVariantB.set(occurrence.workspaceId, performance.now());
    }
    return { made, untold };
  }
}
