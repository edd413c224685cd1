/**
 * Decides which deliveries may be attempted now. Every endpoint has a lane. Lanes share slots, and
 * no lane can take them all.
 *
 * States of a lane:
 * - *New*: it has answered nothing yet. It gets one attempt at a time, from a small pool on
 *   probation.
 * - *Fast*: it gets as many as the bounds of its workspace and host leave.
 * - *Slow*: it gets single probes, from their own pool.
 *
 * An attempt that lasts longer than `slowAfterMs` (`probationMs` in a new lane) makes its lane slow
 * at once, while it still runs. It gives its slot back, and waiting tasks of the lane become rows
 * again. An end within `slowAfterMs` makes a new or slow lane fast. A task that ends without a POST
 * says nothing about the endpoint.
 *
 * So endpoints that hang take slots on probation once, for `probationMs`, however many they are.
 * Fast lanes keep their slots. Waiting tasks are bounded, per lane and in total; a new lane holds
 * few. `offer` refuses the rest. Lanes of one pace take turns, and one whose bound is full waits
 * until the bound is free.
 */
import type { EndpointId } from '@watchword/contracts';
import type { Answer, Bound } from './bounds.js';

export type Pace = 'new' | 'fast' | 'slow';

export interface LanesOptions<Task> {
  slots: Readonly<Record<Pace, number>>;
  /** Most running attempts. Those of lanes that are not fast leave the slots of fast ones free. */
  slotsMax: number;
  waitingMax: number;
  laneWaitingMax: number;
  newLaneWaitingMax: number;
  slowAfterMs: number;
  probationMs: number;
  /** What an attempt counts against, with others of its workspace. */
  boundsOf: (task: Task) => readonly Bound[];
  /** Resolves when the attempt is over, with null when there was no POST. Must not reject. */
  attempt: (task: Task) => Promise<Answer | null>;
  /** Takes back tasks that will not be attempted from here. */
  giveBack: (tasks: Task[]) => void;
  /** The lane has space for more. */
  onSpace: (endpointId: EndpointId) => void;
  /** The lane changed its pace, to be remembered across restarts. */
  paced: (endpointId: EndpointId, pace: 'fast' | 'slow') => void;
}

interface Lane<Task> {
  readonly endpointId: EndpointId;
  readonly waiting: Task[];
  pace: Pace;
  running: number;
  queued: boolean;
  usedAt: number;
}

const PACES: readonly Pace[] = ['fast', 'new', 'slow'];

export class Lanes<Task> {
  private readonly lanes = new Map<EndpointId, Lane<Task>>();
  private readonly rings: Record<Pace, Lane<Task>[]> = { new: [], fast: [], slow: [] };
  private readonly used: Record<Pace, number> = { new: 0, fast: 0, slow: 0 };
  /** Lanes that wait for a bound, and the timers of bounds that become free by themselves. */
  private readonly bounded = new Map<Bound, Set<Lane<Task>>>();
  private readonly timers = new Map<Bound, NodeJS.Timeout>();
  private waitingCount = 0;
  private idle: (() => void)[] = [];

  constructor(private readonly options: LanesOptions<Task>) {}

  get running(): number {
    return this.used.new + this.used.fast + this.used.slow;
  }

  /** Returns lanes that would refuse. Their deliveries should not be leased. */
  resting(): EndpointId[] {
    const full: EndpointId[] = [];
    for (const endpointId of this.lanes.keys()) {
      if (this.spaceOf(endpointId) === 0) full.push(endpointId);
    }
    return full;
  }

  /** Returns how many tasks `offer` would take. */
  spaceOf(endpointId: EndpointId): number {
    const left = this.options.waitingMax - this.waitingCount;
    const lane = this.lanes.get(endpointId);
    const waiting = lane?.waiting.length ?? 0;
    return Math.max(Math.min(left, this.waitingMaxOf(lane) - waiting), 0);
  }

  /**
   * Returns how many tasks to fetch. None before the lane is half empty, so that they come in
   * batches.
   */
  wantedOf(endpointId: EndpointId): number {
    const lane = this.lanes.get(endpointId);
    const waiting = lane?.waiting.length ?? 0;
    return waiting * 2 > this.waitingMaxOf(lane) ? 0 : this.spaceOf(endpointId);
  }

  /** Answers the tasks that found no space. `pace` is that of a lane which is not here yet. */
  offer(endpointId: EndpointId, tasks: readonly Task[], pace: Pace = 'new'): Task[] {
    const lane = this.laneOf(endpointId, pace);
    const space = this.spaceOf(endpointId);
    const taken = tasks.slice(0, space);
    lane.waiting.push(...taken);
    this.waitingCount += taken.length;
    this.enqueue(lane);
    this.fill();
    return tasks.slice(space);
  }

  /** Gives waiting tasks back. Resolves when nothing runs. */
  async stop(): Promise<void> {
    for (const lane of this.lanes.values()) this.empty(lane);
    for (const timer of this.timers.values()) clearTimeout(timer);
    if (this.running > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /** Drops lanes without work for this long. */
  forgetIdle(idleMs: number): void {
    const since = performance.now() - idleMs;
    for (const [endpointId, lane] of this.lanes) {
      const isIdle = lane.running === 0 && lane.waiting.length === 0;
      if (isIdle && lane.usedAt < since) this.lanes.delete(endpointId);
    }
  }

  private waitingMaxOf(lane: Lane<Task> | undefined): number {
    const { laneWaitingMax, newLaneWaitingMax } = this.options;
    if (lane?.pace === 'slow') return 1 - lane.running;
    return lane?.pace === 'fast' ? laneWaitingMax : newLaneWaitingMax;
  }

  private laneOf(endpointId: EndpointId, pace: Pace): Lane<Task> {
    let lane = this.lanes.get(endpointId);
    if (!lane) {
      const fresh = { waiting: [], running: 0, queued: false, usedAt: 0 };
      lane = { endpointId, pace, ...fresh };
      this.lanes.set(endpointId, lane);
    }
    lane.usedAt = performance.now();
    return lane;
  }

  private enqueue(lane: Lane<Task>): void {
    if (lane.queued || lane.waiting.length === 0 || this.isBusy(lane)) return;
    lane.queued = true;
    this.rings[lane.pace].push(lane);
  }

  /** Runs an attempt of no lane against bounds that are free. Lanes that wait for them go on afterwards. */
  async beside<Outcome>(
    bounds: readonly Bound[],
    attempt: () => Promise<Outcome>,
    answerOf: (outcome: Outcome) => Answer,
  ): Promise<Outcome> {
    for (const bound of bounds) bound.take();
    let answer: Answer | null = null;
    try {
      const outcome = await attempt();
      answer = answerOf(outcome);
      return outcome;
    } finally {
      this.giveBack(bounds, answer);
      this.fill();
    }
  }

  private giveBack(bounds: readonly Bound[], answer: Answer | null): void {
    for (const bound of bounds) bound.giveBack(answer);
    for (const bound of bounds) this.wake(bound);
  }

  private fill(): void {
    for (const pace of PACES) {
      const ring = this.rings[pace];
      while (ring.length > 0 && this.hasSlot(pace)) this.serve(ring.shift()!);
    }
  }

  private hasSlot(pace: Pace): boolean {
    const { slots, slotsMax } = this.options;
    if (this.used[pace] >= slots[pace]) return false;
    if (pace === 'fast') return this.running < slotsMax;
    return this.used.new + this.used.slow < slotsMax - slots.fast;
  }

  private serve(lane: Lane<Task>): void {
    lane.queued = false;
    const task = lane.waiting[0];
    if (task === undefined || this.isBusy(lane)) return;
    const bounds = this.options.boundsOf(task);
    const full = bounds.find((bound) => bound.wait() !== 0);
    if (full) return this.waitFor(full, lane);
    lane.waiting.shift();
    this.waitingCount -= 1;
    void this.run(lane, task, bounds);
    this.enqueue(lane);
  }

  /** Endpoints that are new or slow get one attempt at a time. */
  private isBusy({ pace, running }: Lane<Task>): boolean {
    return pace !== 'fast' && running > 0;
  }

  private waitFor(full: Bound, lane: Lane<Task>): void {
    const waiting = this.bounded.get(full) ?? new Set();
    this.bounded.set(full, waiting.add(lane));
    const waitMs = full.wait();
    if (waitMs === null || this.timers.has(full)) return;
    const wake = () => {
      this.timers.delete(full);
      this.wake(full);
      this.fill();
    };
    this.timers.set(full, setTimeout(wake, waitMs));
  }

  private wake(bound: Bound): void {
    const waiting = this.bounded.get(bound) ?? [];
    this.bounded.delete(bound);
    for (const lane of waiting) this.enqueue(lane);
  }

  private async run(lane: Lane<Task>, task: Task, bounds: readonly Bound[]): Promise<void> {
    let slot = lane.pace;
    const takeSlot = (pace: Pace) => {
      slot = pace;
      this.used[slot] += 1;
    };
    takeSlot(lane.pace);
    lane.running += 1;
    for (const bound of bounds) bound.take();
    const startedAt = performance.now();
    const { slowAfterMs, probationMs } = this.options;
    const timeout = setTimeout(
      () => {
        this.used[slot] -= 1;
        takeSlot('slow');
        this.slowDown(lane);
        this.fill();
      },
      lane.pace === 'new' ? probationMs : slowAfterMs,
    );
    const answer = await this.options.attempt(task);
    clearTimeout(timeout);
    this.used[slot] -= 1;
    lane.running -= 1;
    if (answer !== null && performance.now() - startedAt < slowAfterMs) this.speedUp(lane);
    this.enqueue(lane);
    this.giveBack(bounds, answer);
    this.fill();
    if (this.wantedOf(lane.endpointId) > 0) this.options.onSpace(lane.endpointId);
    if (this.running === 0) this.becameIdle();
  }

  private slowDown(lane: Lane<Task>): void {
    if (lane.pace === 'slow') return;
    this.change(lane, 'slow');
    this.empty(lane);
  }

  private speedUp(lane: Lane<Task>): void {
    // Others of the lane may still hang, so one quick answer proves little.
    if (lane.pace === 'slow' && lane.running > 0) return;
    if (lane.pace !== 'fast') this.change(lane, 'fast');
  }

  /** A lane that waits in the ring of its old pace leaves it. */
  private change(lane: Lane<Task>, pace: 'fast' | 'slow'): void {
    if (lane.queued) {
      const ring = this.rings[lane.pace];
      ring.splice(ring.indexOf(lane), 1);
      lane.queued = false;
    }
    lane.pace = pace;
    this.options.paced(lane.endpointId, pace);
  }

  private empty(lane: Lane<Task>): void {
    const tasks = lane.waiting.splice(0);
    this.waitingCount -= tasks.length;
    if (tasks.length > 0) this.options.giveBack(tasks);
  }

  private becameIdle(): void {
    const waiting = this.idle;
    this.idle = [];
    for (const resolve of waiting) resolve();
  }
}
