/**
 * Who may be attempted now. Every endpoint has a lane; lanes share places, and no lane can take them all.
 *
 * - A lane is *fast* or *slow*. A fast one starts with one attempt at a time and doubles with each that
 *   ends quickly, up to `laneMax`. An attempt that lasts longer than `slowAfterMs` makes its lane slow at
 *   once, while it still runs: it gives its fast place back, and what the lane holds in memory goes back to
 *   being rows. A slow lane gets single probes, from places of their own. A quick end makes it fast again,
 *   from one.
 * - So endpoints that hang take fast places for `slowAfterMs` each and never again, however many they are,
 *   and those that answer go on.
 * - What waits is bounded, in a lane and in all: `offer` refuses the rest.
 *
 * Fast lanes with something to do wait in a ring and are served in turn, and slow lanes in another.
 */
export interface LanesOptions<Task> {
  fastPlaces: number;
  slowPlaces: number;
  /** All attempts that run, whatever lane they began in. */
  placesMax: number;
  laneMax: number;
  waitingMax: number;
  laneWaitingMax: number;
  slowAfterMs: number;
  /** Resolves when the attempt is over; must not reject. */
  attempt: (task: Task) => Promise<void>;
  /** Gets back what will not be attempted from here. */
  giveBack: (tasks: Task[]) => void;
  /** The lane has room for more. */
  hungry: (endpointId: string) => void;
}

interface Lane<Task> {
  readonly endpointId: string;
  readonly waiting: Task[];
  slow: boolean;
  limit: number;
  running: number;
  queued: boolean;
  usedAt: number;
}

export class Lanes<Task> {
  private readonly lanes = new Map<string, Lane<Task>>();
  private readonly fastRing: Lane<Task>[] = [];
  private readonly slowRing: Lane<Task>[] = [];
  private fastRunning = 0;
  private slowRunning = 0;
  private waitingCount = 0;
  private idle: (() => void)[] = [];

  constructor(private readonly options: LanesOptions<Task>) {}

  get running(): number {
    return this.fastRunning + this.slowRunning;
  }

  /** Lanes that would refuse: their deliveries are better not leased at all. */
  resting(): string[] {
    const full = [...this.lanes.values()].filter((lane) => this.roomOf(lane.endpointId) === 0);
    return full.map((lane) => lane.endpointId);
  }

  /** How many tasks `offer` would take. */
  roomOf(endpointId: string): number {
    const left = this.options.waitingMax - this.waitingCount;
    const lane = this.lanes.get(endpointId);
    if (!lane) return Math.max(Math.min(left, this.options.laneWaitingMax), 0);
    const laneMax = lane.slow ? 1 - lane.running : this.options.laneWaitingMax;
    return Math.max(Math.min(left, laneMax - lane.waiting.length), 0);
  }

  /** How many tasks to fetch: none before the lane is half empty, so that they come in batches. */
  appetiteOf(endpointId: string): number {
    const waiting = this.lanes.get(endpointId)?.waiting.length ?? 0;
    return waiting * 2 > this.options.laneWaitingMax ? 0 : this.roomOf(endpointId);
  }

  /** Answers the tasks that found no room. */
  offer(endpointId: string, tasks: readonly Task[]): Task[] {
    const room = this.roomOf(endpointId);
    const lane = this.laneOf(endpointId);
    const taken = tasks.slice(0, room);
    lane.waiting.push(...taken);
    this.waitingCount += taken.length;
    this.enqueue(lane);
    this.fill();
    return tasks.slice(room);
  }

  /** Empties what waits and resolves when nothing runs. */
  async stop(): Promise<void> {
    for (const lane of this.lanes.values()) this.empty(lane);
    if (this.running > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /** Lanes that have been without work so long begin anew when they have some. */
  forgetIdle(idleMs: number): void {
    const since = performance.now() - idleMs;
    for (const [endpointId, lane] of this.lanes) {
      const isIdle = lane.running === 0 && lane.waiting.length === 0;
      if (isIdle && lane.usedAt < since) this.lanes.delete(endpointId);
    }
  }

  private laneOf(endpointId: string): Lane<Task> {
    let lane = this.lanes.get(endpointId);
    if (!lane) {
      lane = {
        endpointId,
        waiting: [],
        slow: false,
        limit: 1,
        running: 0,
        queued: false,
        usedAt: 0,
      };
      this.lanes.set(endpointId, lane);
    }
    lane.usedAt = performance.now();
    return lane;
  }

  private enqueue(lane: Lane<Task>): void {
    if (lane.queued || lane.waiting.length === 0 || lane.running >= lane.limit) return;
    lane.queued = true;
    (lane.slow ? this.slowRing : this.fastRing).push(lane);
  }

  private fill(): void {
    const { fastPlaces, slowPlaces, placesMax } = this.options;
    while (this.fastRing.length > 0 && this.fastRunning < fastPlaces && this.running < placesMax) {
      this.serve(this.fastRing.shift()!);
    }
    while (this.slowRing.length > 0 && this.slowRunning < slowPlaces && this.running < placesMax) {
      this.serve(this.slowRing.shift()!);
    }
  }

  private serve(lane: Lane<Task>): void {
    lane.queued = false;
    if (lane.running >= lane.limit) return;
    const task = lane.waiting.shift();
    if (task === undefined) return;
    this.waitingCount -= 1;
    void this.run(lane, task);
    this.enqueue(lane);
  }

  private async run(lane: Lane<Task>, task: Task): Promise<void> {
    let place: 'fast' | 'slow' = lane.slow ? 'slow' : 'fast';
    const take = (count: number) => {
      if (place === 'fast') this.fastRunning += count;
      else this.slowRunning += count;
    };
    take(1);
    lane.running += 1;
    let lasts = false;
    const patience = setTimeout(() => {
      lasts = true;
      take(-1);
      place = 'slow';
      take(1);
      this.slowDown(lane);
      this.fill();
    }, this.options.slowAfterMs);
    await this.options.attempt(task);
    clearTimeout(patience);
    take(-1);
    lane.running -= 1;
    if (!lasts) this.speedUp(lane);
    this.enqueue(lane);
    this.fill();
    if (this.appetiteOf(lane.endpointId) > 0) this.options.hungry(lane.endpointId);
    if (this.running === 0) this.becameIdle();
  }

  private slowDown(lane: Lane<Task>): void {
    if (lane.slow) return;
    lane.slow = true;
    lane.limit = 1;
    this.empty(lane);
  }

  private speedUp(lane: Lane<Task>): void {
    // Others of the lane may still hang: one quick answer among them proves little.
    if (lane.slow && lane.running > 0) return;
    lane.limit = lane.slow ? 1 : Math.min(lane.limit * 2, this.options.laneMax);
    lane.slow = false;
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
