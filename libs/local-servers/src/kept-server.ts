import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server-host.js';

/** Told in one sentence what happened to a server, for the person at the terminal. */
export type OnTrouble = (sentence: string, error?: unknown) => void;

const lookEveryMs = 200;
/** What dies sooner than this after its start has not helped by being started. */
const settledAfterDefaultMs = 30_000;
const pauseMinMs = 250;
const pauseMaxMs = 15_000;

/**
 * A server that is started again when it dies, at the same address and in the same directory, until it is
 * stopped: the first time at once, and after a pause that doubles as long as it dies soon or does not start.
 */
export class KeptServer implements Server {
  private watching: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    private readonly server: Server,
    private readonly onTrouble: OnTrouble,
    private readonly settledAfterMs = settledAfterDefaultMs,
  ) {}

  get name(): string {
    return this.server.name;
  }

  hasEnded(): Promise<boolean> {
    return this.server.hasEnded();
  }

  async start(): Promise<void> {
    await this.server.start();
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const watched = this.watching.then(() => true);
    // More than once: it may just be being started.
    do await this.server.stop();
    while (!(await Promise.race([watched, sleep(lookEveryMs, false)])));
    await this.server.stop();
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    let startedAt = performance.now();
    let pauseMs = 0;
    for (;;) {
      await this.pause(lookEveryMs);
      // An engine of containers that does not answer says nothing about what runs in it.
      const ended = await this.server.hasEnded().catch(() => false);
      if (signal.aborted) return;
      if (!ended) continue;
      if (performance.now() - startedAt > this.settledAfterMs) pauseMs = 0;
      this.onTrouble(`${this.name} died and is started again${afterPause(pauseMs)}`);
      do {
        await this.pause(pauseMs);
        pauseMs = Math.min(Math.max(pauseMs * 2, pauseMinMs), pauseMaxMs);
      } while (!signal.aborted && !(await this.comesUp(pauseMs)));
      startedAt = performance.now();
    }
  }

  private async comesUp(pauseMs: number): Promise<boolean> {
    try {
      await this.server.start();
      return true;
    } catch (error) {
      if (!this.stopping.signal.aborted)
        this.onTrouble(
          `${this.name} does not start and is tried again${afterPause(pauseMs)}`,
          error,
        );
      return false;
    }
  }

  private async pause(milliseconds: number): Promise<void> {
    const { signal } = this.stopping;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

function afterPause(pauseMs: number): string {
  return pauseMs === 0 ? '' : ` in ${pauseMs / 1_000} s`;
}
