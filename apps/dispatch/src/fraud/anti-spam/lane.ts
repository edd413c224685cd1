/** Calls to one service, at most `callsMax` at a time. The others wait in order of arrival. */
export class Lane {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly callsMax: number) {}

  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.callsMax) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else {
      this.running += 1;
    }
    try {
      return await call();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
