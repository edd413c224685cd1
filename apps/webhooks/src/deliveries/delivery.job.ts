import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { DeliverHandler, DueRows } from './deliver.handler.js';
import type { DeliveryStore, Room } from './delivery.store.js';
import { measureOverdue } from './measurements.js';
import { LEASE_MS } from './retry-schedule.policy.js';

/** How often the rows are asked, for what other processes, crashes and long delays left in them. */
const SWEEP_EVERY_MS = 5_000;

/** What is due later than this need not be known yet: a sweep comes before it. */
const HORIZON_MS = 2 * SWEEP_EVERY_MS;

const CLAIM_ENDPOINTS_MAX = 256;
const CLAIM_DELIVERIES_MAX = 1_024;
const LANE_MEMORY_MS = 10 * 60_000;

/**
 * Brings due rows to the sender. It knows of each endpoint when its next row is due, wakes at the earliest
 * of these moments, and takes from each endpoint as much as the sender has room for. One claim runs at a
 * time, so claims grow with the load.
 */
export class DeliveryJob implements DueRows {
  private readonly dueAtMs = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private timerAtMs = Infinity;
  private sweeper: NodeJS.Timeout | undefined;
  private claiming: Promise<void> | undefined;
  private sweeping: Promise<void> | undefined;
  private stopped = false;
  private endMeasuring: () => void = () => undefined;

  constructor(
    private readonly store: Pick<
      DeliveryStore,
      'claim' | 'firstDueOf' | 'dueEndpoints' | 'overdue'
    >,
    private readonly sender: DeliverHandler,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    sender.attach(this);
  }

  start(): void {
    this.endMeasuring = measureOverdue(() => this.store.overdue(new Date(this.clock.now())));
    this.sweeper = setInterval(() => void this.sweep(), SWEEP_EVERY_MS);
    this.sweeper.unref();
    void this.sweep();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.endMeasuring();
    clearInterval(this.sweeper);
    clearTimeout(this.timer);
    await Promise.all([this.claiming, this.sweeping]);
  }

  due(endpointId: string, atMs: number): void {
    if (atMs > this.clock.now() + HORIZON_MS) return;
    if (atMs >= (this.dueAtMs.get(endpointId) ?? Infinity)) return;
    this.dueAtMs.set(endpointId, atMs);
    this.wakeAt(atMs);
  }

  hungry(endpointId: string): void {
    const dueAtMs = this.dueAtMs.get(endpointId) ?? Infinity;
    if (dueAtMs <= this.clock.now()) this.wakeAt(dueAtMs);
  }

  /** Finds what is due soon, whoever left it. */
  sweep(): Promise<void> {
    this.sweeping ??= this.readDue().finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  private async readDue(): Promise<void> {
    this.sender.forgetIdle(LANE_MEMORY_MS);
    try {
      const until = new Date(this.clock.now() + HORIZON_MS);
      for (const { endpointId, dueAt } of await this.store.dueEndpoints(until)) {
        this.due(endpointId, dueAt.getTime());
      }
      this.wakeAnew();
    } catch (error) {
      this.logger.warn({ err: error }, 'due webhook deliveries could not be looked for');
    }
  }

  /** Timers measure time that has passed; the clock may have been set since. */
  private wakeAnew(): void {
    clearTimeout(this.timer);
    this.timerAtMs = Infinity;
    this.wakeAt(this.earliestMs());
  }

  private wakeAt(atMs: number): void {
    if (this.stopped || this.claiming || atMs >= this.timerAtMs) return;
    clearTimeout(this.timer);
    this.timerAtMs = atMs;
    this.timer = setTimeout(
      () => {
        this.timerAtMs = Infinity;
        this.claiming = this.claim().finally(() => {
          this.claiming = undefined;
          this.wakeAt(this.earliestMs());
        });
      },
      Math.max(atMs - this.clock.now(), 0),
    );
  }

  /** Endpoints whose rows are due and for which there is no room do not count: they will be hungry. */
  private earliestMs(): number {
    const nowMs = this.clock.now();
    let earliestMs = Infinity;
    for (const [endpointId, dueAtMs] of this.dueAtMs) {
      if (dueAtMs >= earliestMs) continue;
      if (dueAtMs > nowMs || this.sender.appetiteOf(endpointId) > 0) earliestMs = dueAtMs;
    }
    return earliestMs;
  }

  private async claim(): Promise<void> {
    const nowMs = this.clock.now();
    const rooms = this.rooms(nowMs);
    if (rooms.length === 0) return;
    // Forgotten first, so that what becomes due while the claim runs is not lost.
    for (const { endpointId } of rooms) this.dueAtMs.delete(endpointId);
    try {
      const claimed = await this.store.claim(rooms, new Date(nowMs), new Date(nowMs + LEASE_MS));
      await this.sender.take(claimed);
      const ids = rooms.map(({ endpointId }) => endpointId);
      const until = new Date(this.clock.now() + HORIZON_MS);
      for (const { endpointId, dueAt } of await this.store.firstDueOf(ids, until)) {
        this.due(endpointId, dueAt.getTime());
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'due webhook deliveries could not be taken');
    }
  }

  private rooms(nowMs: number): Room[] {
    const rooms: Room[] = [];
    let left = CLAIM_DELIVERIES_MAX;
    for (const [endpointId, dueAtMs] of this.dueAtMs) {
      if (left <= 0 || rooms.length >= CLAIM_ENDPOINTS_MAX) break;
      if (dueAtMs > nowMs) continue;
      const count = Math.min(this.sender.appetiteOf(endpointId), left);
      if (count <= 0) continue;
      rooms.push({ endpointId, count });
      left -= count;
    }
    return rooms;
  }
}
