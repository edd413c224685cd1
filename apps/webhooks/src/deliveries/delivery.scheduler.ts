import { type Clock, type EndpointId, newId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Receiver, ReceiverCache } from '../endpoints/receiver.cache.js';
import {
  type AttemptEffects,
  AttemptHandler,
  type Task,
  type WebhookPoster,
} from './attempt.handler.js';
import { answerOf, DeliveryBounds, hasFreeSlot } from './bounds.js';
import type { AttemptOutcome, PendingDelivery } from './delivery.js';
import type { DeliveryStore, Slots } from './delivery.store.js';
import { DueEndpoints } from './due-endpoints.js';
import { Lanes } from './lanes.js';
import { measureOverdue } from './measurements.js';
import { LEASE_MS } from './retry-schedule.policy.js';

/** The sizes of the lanes of one process; `lanes.ts` explains them. */
const LANES = {
  slots: { fast: 1_024, new: 256, slow: 128 },
  slotsMax: 1_792,
  waitingMax: 4_096,
  laneWaitingMax: 256,
  newLaneWaitingMax: 4,
  slowAfterMs: 1_000,
  probationMs: 100,
};

/** Milliseconds between sweeps for rows that other processes, crashes and long delays left. */
const SWEEP_EVERY_MS = 5_000;

/** Milliseconds. Rows due later need not be known yet, because a sweep comes first. */
const HORIZON_MS = 2 * SWEEP_EVERY_MS;

/** Milliseconds for which a replica counts that was seen to deliver: longer than an attempt lasts. */
const REPLICA_SEEN_MS = 3 * SWEEP_EVERY_MS;

const CLAIM_ENDPOINTS_MAX = 256;
const CLAIM_DELIVERIES_MAX = 1_024;
const LANE_MEMORY_MS = 10 * 60_000;

/**
 * Decides which delivery is attempted when. It knows when the next row of each endpoint is due,
 * claims as many rows as the endpoint's lane has space for, and lets the lanes choose the next one.
 * One claim runs at a time, so claims grow with the load. It holds leased rows only: a process that
 * dies loses nothing, because each is attempted again when its lease ends.
 */
export class DeliveryScheduler {
  private readonly attempts: AttemptHandler;
  private readonly lanes: Lanes<Task>;
  private readonly bounds = new DeliveryBounds();
  private readonly id = newId();
  /** Whether an attempt began since the last sweep. */
  private hasDelivered = false;
  private readonly dueEndpoints: DueEndpoints;
  private sweeper: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private stopped = false;
  private endMeasuring: () => void = () => undefined;

  constructor(
    private readonly store: Pick<
      DeliveryStore,
      'claim' | 'record' | 'release' | 'firstDueOf' | 'dueEndpoints' | 'overdue' | 'replicas'
    >,
    private readonly receivers: ReceiverCache,
    poster: WebhookPoster,
    effects: Pick<AttemptEffects, 'passedTest' | 'disabled'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
    sizes: Partial<typeof LANES> = {},
  ) {
    const due = (endpointId: EndpointId, atMs: number) => this.due(endpointId, atMs);
    this.attempts = new AttemptHandler(store, poster, { due, ...effects }, clock, logger);
    this.dueEndpoints = new DueEndpoints(clock, {
      horizonMs: HORIZON_MS,
      wantedOf: (endpointId) => this.wantedOf(endpointId),
      serve: () => this.claim(),
    });
    this.lanes = new Lanes<Task>({
      ...LANES,
      ...sizes,
      boundsOf: ({ receiver }) => this.bounds.of(receiver),
      attempt: (task) => {
        this.hasDelivered = true;
        return this.attempts.attempt(task);
      },
      giveBack: (tasks) => this.attempts.release(tasks.map(({ delivery }) => delivery)),
      onSpace: (endpointId) => this.dueEndpoints.noteSpace(endpointId),
      paced: (endpointId, pace) => receivers.pace(endpointId, pace),
    });
  }

  start(): void {
    this.endMeasuring = measureOverdue(() => this.store.overdue(new Date(this.clock.now())));
    this.sweeper = setInterval(() => void this.sweep(), SWEEP_EVERY_MS);
    this.sweeper.unref();
    void this.sweep();
  }

  /**
   * Makes no new claims. Waiting deliveries become rows again; running attempts end and are
   * recorded.
   */
  async stop(): Promise<void> {
    this.stopped = true;
    this.endMeasuring();
    clearInterval(this.sweeper);
    await Promise.all([this.dueEndpoints.stop(), this.sweeping]);
    this.attempts.stopping();
    await this.lanes.stop();
    await Promise.all([this.attempts.drained(), this.receivers.drained()]);
  }

  /** A row of the endpoint is due then. */
  due(endpointId: EndpointId, atMs: number): void {
    this.dueEndpoints.due(endpointId, atMs);
  }

  /** Returns endpoints with deliveries that should not be leased to this process. */
  restingEndpoints(): EndpointId[] {
    return [...this.lanes.resting(), ...this.receivers.unreadable()];
  }

  /** Takes leased deliveries. Those without space become rows again. */
  async take(deliveries: readonly PendingDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    try {
      await this.receivers.prepare(
        new Map(deliveries.map((each) => [each.endpointId, each.endpointVersion])),
      );
    } catch (error) {
      this.logger.warn({ err: error }, 'webhook endpoints could not be read');
      return this.attempts.release(deliveries);
    }
    for (const [endpointId, ofEndpoint] of Map.groupBy(deliveries, (each) => each.endpointId)) {
      this.offer(this.receivers.get(endpointId), ofEndpoint);
    }
  }

  /** Finds rows that are due soon. */
  sweep(): Promise<void> {
    this.sweeping ??= this.readDue().finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  private offer(receiver: Receiver | undefined, deliveries: readonly PendingDelivery[]): void {
    if (!receiver || this.stopped) return this.attempts.release(deliveries);
    const tasks = deliveries.map((delivery) => ({ delivery, receiver }));
    const refused = this.lanes.offer(receiver.endpointId, tasks, receiver.pace);
    this.attempts.release(refused.map(({ delivery }) => delivery));
  }

  private async readDue(): Promise<void> {
    this.lanes.forgetIdle(LANE_MEMORY_MS);
    this.bounds.forgetIdle(LANE_MEMORY_MS);
    try {
      await this.countReplicas();
      const until = new Date(this.clock.now() + HORIZON_MS);
      for (const { endpointId, dueAt } of await this.store.dueEndpoints(until)) {
        this.due(endpointId, dueAt.getTime());
      }
      this.dueEndpoints.wakeAnew();
    } catch (error) {
      this.logger.warn({ err: error }, 'looking for due webhook deliveries failed');
    }
  }

  /** Makes one POST that is no delivery from a row, within the same bounds. Null: they are full, and it was not made. */
  async postBeside(
    receiver: Receiver,
    post: () => Promise<AttemptOutcome>,
  ): Promise<AttemptOutcome | null> {
    const bounds = this.bounds.of(receiver);
    if (!(await hasFreeSlot(bounds))) return null;
    this.hasDelivered = true;
    return this.lanes.beside(bounds, post, answerOf);
  }

  /** An idle process writes nothing, and takes no share. */
  private async countReplicas(): Promise<void> {
    if (!this.hasDelivered) return;
    this.hasDelivered = false;
    const nowMs = this.clock.now();
    const since = new Date(nowMs - REPLICA_SEEN_MS);
    this.bounds.replicas = await this.store.replicas(this.id, new Date(nowMs), since);
  }

  private wantedOf(endpointId: EndpointId): number {
    if (this.stopped || this.receivers.isUnreadable(endpointId)) return 0;
    return this.lanes.wantedOf(endpointId);
  }

  private async claim(): Promise<void> {
    const nowMs = this.clock.now();
    const slotsByEndpoint = this.slotsByEndpoint(nowMs);
    if (slotsByEndpoint.length === 0) return;
    // Cleared first, so that rows that become due during the claim are not lost.
    for (const { endpointId } of slotsByEndpoint) this.dueEndpoints.forget(endpointId);
    try {
      const claimed = await this.store.claim(
        slotsByEndpoint,
        new Date(nowMs),
        new Date(nowMs + LEASE_MS),
      );
      await this.take(claimed);
      const ids = slotsByEndpoint.map(({ endpointId }) => endpointId);
      const until = new Date(this.clock.now() + HORIZON_MS);
      for (const { endpointId, dueAt } of await this.store.firstDueOf(ids, until)) {
        this.due(endpointId, dueAt.getTime());
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'claiming due webhook deliveries failed');
    }
  }

  private slotsByEndpoint(nowMs: number): Slots[] {
    const slotsByEndpoint: Slots[] = [];
    let left = CLAIM_DELIVERIES_MAX;
    for (const endpointId of this.dueEndpoints.dueBy(nowMs)) {
      if (left <= 0 || slotsByEndpoint.length >= CLAIM_ENDPOINTS_MAX) break;
      const count = Math.min(this.wantedOf(endpointId), left);
      if (count <= 0) continue;
      slotsByEndpoint.push({ endpointId, count });
      left -= count;
    }
    return slotsByEndpoint;
  }
}
