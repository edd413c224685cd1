import { TransientError } from '@watchword/bus';

/**
 * Bounds the messages in progress. A message is in progress from the wait for its next call until
 * its outcome is written, but not while it waits for a receipt. Messages of a burst have their own
 * slots and take them in order, so ten thousand of them delay no other message.
 */
export class Slots {
  private taken = 0;
  private takenByBursts = 0;
  private isClosed = false;
  private awaited: (() => void)[] = [];
  private burst: ((isTurn: boolean) => void)[] = [];

  constructor(
    private readonly inHandMax: number,
    private readonly burstMax = 1,
  ) {}

  get inHand(): number {
    return this.taken + this.takenByBursts;
  }

  /** Messages of a burst that wait for their turn. */
  get waitingOfBursts(): number {
    return this.burst.length;
  }

  get isLeft(): boolean {
    return this.taken < this.inHandMax;
  }

  /** Resolves when there are slots for `count` more, or when none is in progress. */
  async waitFor(count: number): Promise<void> {
    while (this.taken > 0 && this.taken + count > this.inHandMax) {
      if (this.isClosed) throw new TransientError('dispatch is stopping');
      await new Promise<void>((resolve) => this.awaited.push(resolve));
    }
  }

  async inHandWhile<Result>(work: () => Promise<Result>): Promise<Result> {
    this.taken += 1;
    try {
      return await work();
    } finally {
      this.taken -= 1;
      this.wakeAwaited();
    }
  }

  /**
   * Runs the work of one message of a burst after those before it. Returns null when the
   * slots close first.
   */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result | null> {
    if (this.isClosed) return null;
    if (this.takenByBursts < this.burstMax) this.takenByBursts += 1;
    // A sending that ends gives its slot to the next.
    else if (!(await new Promise<boolean>((resolve) => this.burst.push(resolve)))) return null;
    try {
      return await work();
    } finally {
      const next = this.burst.shift();
      if (next) next(true);
      else this.takenByBursts -= 1;
    }
  }

  /** Refuses work that waits for a slot, and later work of bursts. */
  close(): void {
    this.isClosed = true;
    this.wakeAwaited();
    const { burst } = this;
    this.burst = [];
    for (const answer of burst) answer(false);
  }

  private wakeAwaited(): void {
    const { awaited } = this;
    this.awaited = [];
    for (const wake of awaited) wake();
  }
}
