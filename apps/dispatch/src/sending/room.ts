import { TransientError } from '@watchword/bus';

/**
 * How many messages may be in hand at once. One is in hand from when its next call is waited for until what came
 * of that is written; while it only waits for a receipt, it is not. Messages of a burst have a room of their own
 * beside it and wait for it in their order, so that ten thousand of them delay no other message.
 */
export class Room {
  private taken = 0;
  private takenByBursts = 0;
  private isClosed = false;
  private awaited: (() => void)[] = [];
  private readonly burst: (() => void)[] = [];

  constructor(
    private readonly inHandMax: number,
    private readonly burstMax = 1,
  ) {}

  get inHand(): number {
    return this.taken + this.takenByBursts;
  }

  /** How many of a burst wait for their turn. */
  get waitingOfBursts(): number {
    return this.burst.length;
  }

  get isLeft(): boolean {
    return this.taken < this.inHandMax;
  }

  /** Resolves when that many more may come; a batch of any size when none is in hand. */
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

  /** As one of a burst: when those before it have had their turn. */
  async inHandInTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.takenByBursts < this.burstMax) this.takenByBursts += 1;
    // A sending that ends gives its place to the next.
    else await new Promise<void>((resolve) => this.burst.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.burst.shift();
      if (next) next();
      else this.takenByBursts -= 1;
    }
  }

  /** Who waits for room, or asks for it where there is none, is turned away. */
  close(): void {
    this.isClosed = true;
    this.wakeAwaited();
  }

  private wakeAwaited(): void {
    const { awaited } = this;
    this.awaited = [];
    for (const wake of awaited) wake();
  }
}
