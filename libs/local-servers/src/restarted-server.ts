import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server-host.js';

/** Called with one sentence about a server, for the person at the terminal. */
export type OnTrouble = (sentence: string, error?: unknown) => void;

const LOOK_EVERY_MS = 200;
/** Milliseconds. A server that ends sooner after its start counts as a failed start. */
const SETTLED_AFTER_DEFAULT_MS = 30_000;
const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 15_000;

/**
 * A server that is restarted when it ends, at the same address and in the same directory, until it
 * is stopped. The first restart is immediate. Later ones wait for a pause that doubles while starts
 * fail.
 */
export class RestartedServer implements Server {
  private watching: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    private readonly server: Server,
    private readonly onTrouble: OnTrouble,
    private readonly settledAfterMs = SETTLED_AFTER_DEFAULT_MS,
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
    // Repeated, because it may be starting at this moment.
    do await this.server.stop();
    while (!(await Promise.race([watched, sleep(LOOK_EVERY_MS, false)])));
    await this.server.stop();
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    let startedAt = performance.now();
    let pauseMs = 0;
    for (;;) {
      await this.pause(LOOK_EVERY_MS);
      // A container engine that does not answer says nothing about the container.
      const ended = await this.server.hasEnded().catch(() => false);
      if (signal.aborted) return;
      if (!ended) continue;
      if (performance.now() - startedAt > this.settledAfterMs) pauseMs = 0;
      this.onTrouble(`${this.name} died and is started again${afterPause(pauseMs)}`);
      do {
        await this.pause(pauseMs);
        pauseMs = Math.min(Math.max(pauseMs * 2, PAUSE_MIN_MS), PAUSE_MAX_MS);
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
