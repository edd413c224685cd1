import { TransientError } from '@watchword/bus';

/**
 * How many messages may be in hand at once. One is in hand from when its next call is waited for until what came
 * of that is written; while it only waits for a receipt, it is not.
 */
export class Room {
  private taken = 0;
  private isClosed = false;
  private awaited: (() => void)[] = [];

  constructor(private readonly inHandMax: number) {}

  get inHand(): number {
    return this.taken;
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
