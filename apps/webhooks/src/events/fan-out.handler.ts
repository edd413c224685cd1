import { Inject, Injectable } from '@nestjs/common';
import { type Clock, type EndpointId, newEventId } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { PendingDelivery } from '../deliveries/delivery.js';
import { DeliveryScheduler } from '../deliveries/delivery.scheduler.js';
import { LEASE_MS } from '../deliveries/retry-schedule.policy.js';
import { closed } from '../payloads/envelope.policy.js';
import { FanOutStore, type NewDelivery } from './fan-out.store.js';
import { FirstTestStore } from './first-test.store.js';
import { type Occurrence, testOccurrence } from './occurrence.policy.js';
import { eventsWithoutSubscribers } from './events-without-subscribers.js';

/**
 * Makes deliveries of events in one transaction, and gives them to the scheduler at once. A crash in
 * between is covered by the lease: a delivery that no process attempts becomes due again.
 */
@Injectable()
export class FanOutHandler {
  constructor(
    private readonly store: FanOutStore,
    @Inject(DeliveryScheduler)
    private readonly scheduler: Pick<DeliveryScheduler, 'restingEndpoints' | 'take' | 'due'>,
    private readonly firstTests: FirstTestStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the new deliveries. A known event makes none. */
  async fanOut(batch: readonly Occurrence[]): Promise<readonly NewDelivery[]> {
    const occurrences = [...new Map(batch.map((each) => [each.eventId, each])).values()];
    if (occurrences.length === 0) return [];
    const at = this.clock.now();
    const leasedUntil = at + LEASE_MS;
    const resting = this.scheduler.restingEndpoints();
    const { made, incomplete } = await this.store.fanOut(
      occurrences,
      resting,
      new Date(at),
      new Date(leasedUntil),
    );
    const subscribed = new Set(made.map(({ ordinal }) => occurrences[ordinal - 1]!));
    eventsWithoutSubscribers.note(without(occurrences, incomplete), subscribed);
    const leased = made.filter((delivery) => delivery.leased);
    void this.scheduler.take(leased.map(pending(occurrences, leasedUntil)));
    const left = made.filter((delivery) => !delivery.leased);
    const leftIds = new Set(left.map((delivery) => delivery.endpointId));
    for (const endpointId of leftIds) this.scheduler.due(endpointId, at);
    const rest = [...incomplete, ...(await this.testsOf([...leftIds], at))];
    return rest.length === 0 ? made : [...made, ...(await this.fanOut(rest))];
  }

  /**
   * Returns test events for untested endpoints. The first delivery that is held makes one, and so does a later one once
   * that has failed. Keys of test mode see it, because they may have made the endpoint.
   */
  private async testsOf(endpointIds: readonly EndpointId[], atMs: number): Promise<Occurrence[]> {
    if (endpointIds.length === 0) return [];
    const endpoints = await this.firstTests.findWithoutTest(endpointIds);
    const occurredAt = new Date(atMs).toISOString();
    return endpoints.map((endpoint) =>
      testOccurrence({ eventId: newEventId(), endpoint, balance: 0, occurredAt, testMode: true }),
    );
  }
}

function without(all: readonly Occurrence[], some: readonly Occurrence[]): readonly Occurrence[] {
  if (some.length === 0) return all;
  const left = new Set(some);
  return all.filter((one) => !left.has(one));
}

/** Endpoints of one variant share the bytes of an event. */
function pending(
  occurrences: readonly Occurrence[],
  leasedUntilMs: number,
): (delivery: NewDelivery) => PendingDelivery {
  const bodies = new Map<string, Buffer>();
  return ({ ordinal, sequence, deliveryId, endpointId, endpointVersion, variant }) => {
    const { eventId, workspaceId, ...occurrence } = occurrences[ordinal - 1]!;
    const { type } = (variant === 'a' ? occurrence.a : occurrence.b)!;
    const name = `${ordinal} ${variant}`;
    const head = () => (variant === 'a' ? occurrence.a!.head : occurrence.b.head());
    const body = bodies.get(name) ?? Buffer.from(closed(head(), sequence), 'utf8');
    bodies.set(name, body);
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
