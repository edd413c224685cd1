import type { Clock } from '@watchword/contracts';
import type { DeliverHandler } from '../deliveries/deliver.handler.js';
import type { PendingDelivery } from '../deliveries/delivery.js';
import { LEASE_MS } from '../deliveries/retry-schedule.policy.js';
import { closed } from '../payloads/envelope.policy.js';
import type { FanOutStore, NewDelivery } from './fan-out.store.js';
import type { Occurrence } from './occurrence.policy.js';

/**
 * Events become deliveries in one transaction, and the deliveries go to the sender at once. What happens
 * between the two is covered by the lease: a delivery that nobody attempts becomes due again.
 */
export class FanOutHandler {
  constructor(
    private readonly store: FanOutStore,
    private readonly deliveries: DeliverHandler,
    private readonly clock: Clock,
  ) {}

  async fanOut(batch: readonly Occurrence[]): Promise<void> {
    const occurrences = [...new Map(batch.map((each) => [each.eventId, each])).values()];
    if (occurrences.length === 0) return;
    const at = this.clock.now();
    const leasedUntil = at + LEASE_MS;
    const made = await this.store.fanOut(
      occurrences,
      this.deliveries.restingEndpoints(),
      new Date(at),
      new Date(leasedUntil),
    );
    const leased = made.filter((delivery) => delivery.leased);
    void this.deliveries.take(leased.map(pending(occurrences, leasedUntil)));
    const left = made.filter((delivery) => !delivery.leased);
    for (const endpointId of new Set(left.map((delivery) => delivery.endpointId))) {
      this.deliveries.due(endpointId, at);
    }
  }
}

/** Endpoints share the bytes of an event. */
function pending(
  occurrences: readonly Occurrence[],
  leasedUntilMs: number,
): (delivery: NewDelivery) => PendingDelivery {
  const bodies = new Map<number, Buffer>();
  return ({ ordinal, sequence, deliveryId, endpointId, endpointVersion }) => {
    const { eventId, workspaceId, type, head } = occurrences[ordinal - 1]!;
    const body = bodies.get(ordinal) ?? Buffer.from(closed(head, sequence), 'utf8');
    bodies.set(ordinal, body);
    return {
      workspaceId,
      deliveryId,
      endpointId,
      endpointVersion,
      attemptCount: 0,
      leasedUntilMs,
      event: { id: eventId, type, body },
    };
  };
}
