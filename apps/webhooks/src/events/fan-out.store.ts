import { Inject, Injectable } from '@nestjs/common';
import { type InProcessQueue, withDue } from '@watchword/bus';
import {
  DEFAULT_EVENTS,
  type DeliveryId,
  type EndpointId,
  TOPICS,
  type WorkspaceId,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { IN_PROCESS_QUEUE, DATABASE } from '@watchword/platform';
import { lines, linesAsArray, plainArray, type Queryable, statement } from '@watchword/postgres';
import type { Occurrence } from './occurrence.policy.js';
import { RecentlySeen } from './recently-seen.js';

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
interface Incomplete {
  ordinal: number;
  deliveryId: null;
  variant: null;
}

export interface FannedOut {
  readonly made: readonly NewDelivery[];
  /** Occurrences that need a body of variant B after all, in their order. Nothing was written of them. */
  readonly incomplete: readonly Occurrence[];
}

const DEFAULT_TYPES = plainArray(DEFAULT_EVENTS);

const fanOut = statement(
  'webhooks.fan-out-occurrences',
  `SELECT ordinal, sequence, delivery_id AS "deliveryId", endpoint_id AS "endpointId",
     endpoint_version AS "endpointVersion", variant, leased
   FROM webhooks.fan_out_occurrences(
     ${withDue('$16', '$1::text[]')}, $2::uuid[], $3::text[], $4::boolean[],
     $5::timestamptz[], $6::text[], ${linesAsArray('$7')}, $8::text[], ${linesAsArray('$9')},
     $17::boolean[], ${linesAsArray('$10')}, $11::uuid[], $12::text[], $13::uuid[], $14, $15,
     $18::uuid[])`,
  'once',
);

/** One statement, one transaction: the events of a batch, their numbers and their deliveries. */
@Injectable()
export class FanOutStore {
  /**
   * Workspaces that lately had an endpoint of variant B. Others have no bodies of that variant made
   * and stored. It is a guess, which the statement corrects.
   */
  private readonly haveVariantB = new RecentlySeen<WorkspaceId>();

  constructor(
    @Inject(DATABASE) private readonly database: Queryable,
    @Inject(IN_PROCESS_QUEUE) private readonly queue: InProcessQueue,
  ) {}

  fanOut(
    occurrences: readonly Occurrence[],
    restingEndpointIds: readonly EndpointId[],
    at: Date,
    leasedUntil: Date,
  ): Promise<FannedOut> {
    const isPublished = this.queue.isRead(TOPICS.workspaceEvents);
    const needs = occurrences.map((occurrence) => this.needsVariantB(occurrence));
    const headOfB = ({ b }: Occurrence, index: number) =>
      isPublished || needs[index] ? b.head() : null;
    return this.queue.write([TOPICS.workspaceEvents], async (due) => {
      crashPoint('webhooks.fan-out.before-commit');
      const { rows } = await this.database.query<NewDelivery | Incomplete>(fanOut, [
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
        due,
        plainArray(needs),
        plainArray(occurrences.map(({ messageId }) => messageId)),
      ]);
      crashPoint('webhooks.fan-out.after-commit');
      // No consumer in this process reads the messages published of them.
      return { result: this.sorted(rows, occurrences), messages: () => [] };
    });
  }

  /** `GET /v1/events` shows events of family B in variant B. */
  private needsVariantB({ workspaceId, family }: Occurrence): boolean {
    return family === 'b' || this.haveVariantB.has(workspaceId);
  }

  private sorted(
    rows: readonly (NewDelivery | Incomplete)[],
    occurrences: readonly Occurrence[],
  ): FannedOut {
    const made: NewDelivery[] = [];
    const lacking = new Set<number>();
    for (const row of rows) {
      if (row.deliveryId === null) lacking.add(row.ordinal);
      else made.push(row);
      if (row.variant !== 'a') this.haveVariantB.add(occurrences[row.ordinal - 1]!.workspaceId);
    }
    return { made, incomplete: occurrences.filter((_, index) => lacking.has(index + 1)) };
  }
}
