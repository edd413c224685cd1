/**
 * Many due times, one timer. A thousand messages a second would otherwise mean a thousand Node
 * timers in flight; here a due time is one push onto an array, and one tick runs all that is due.
 *
 * Entries hang in the slot of their due tick; one further away than a turn of the wheel stays in its
 * slot until its turn comes. The timer runs only while something waits.
 */
const TICK_MS = 5;
const SLOTS = 2_048;

interface Entry {
  readonly dueTick: number;
  readonly run: () => void;
}

export class TimerWheel {
  private readonly slots: Entry[][] = Array.from({ length: SLOTS }, () => []);
  private tick = Math.floor(performance.now() / TICK_MS);
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  /** `entriesMax` bounds memory: a wheel that is full refuses. */
  constructor(private readonly entriesMax: number) {}

  get size(): number {
    return this.waiting;
  }

  /** False if the wheel is full or stopped. */
  schedule(delayMs: number, run: () => void): boolean {
    if (this.stopped || this.waiting >= this.entriesMax) return false;
    const now = performance.now();
    if (this.waiting === 0) this.tick = Math.floor(now / TICK_MS);
    const dueTick = Math.max(this.tick + 1, Math.ceil((now + delayMs) / TICK_MS));
    this.slots[dueTick % SLOTS]!.push({ dueTick, run });
    this.waiting += 1;
    this.timer ??= setTimeout(this.turn, TICK_MS);
    return true;
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private readonly turn = (): void => {
    const now = Math.floor(performance.now() / TICK_MS);
    // After a pause longer than one turn every slot needs a visit, but none needs two.
    const until = Math.min(now, this.tick + SLOTS);
    for (let tick = this.tick + 1; tick <= until; tick++) this.runSlot(tick % SLOTS, now);
    this.tick = now;
    const again = this.waiting > 0 && !this.stopped;
    this.timer = again ? setTimeout(this.turn, TICK_MS) : undefined;
  };

  private runSlot(index: number, now: number): void {
    const slot = this.slots[index]!;
    if (slot.length === 0) return;
    const later = slot.filter(({ dueTick }) => dueTick > now);
    this.slots[index] = later;
    this.waiting -= slot.length - later.length;
    for (const entry of slot) if (entry.dueTick <= now) entry.run();
  }
}
