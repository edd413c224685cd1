import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpenItems } from '@watchword/batching';
import type { Client } from 'pg';
import { DatabaseReadOnly, isReadOnly, sqlState } from './database-errors.js';

export interface ServerWatchOptions {
  /** Creates the watch's own connection, not yet connected, with a short time-out. */
  createClient: () => Client;
  /** Called when the server takes writes again. */
  onWritableAgain?: () => void;
}

interface Setting {
  transaction_read_only: 'on' | 'off';
}

/**
 * Returns whether the rows say read-only. A standby says so, and a server that a setting makes
 * read-only.
 */
export function saysReadOnly(rows: readonly unknown[]): boolean {
  return (rows[0] as Setting | undefined)?.transaction_read_only === 'on';
}

async function refuseReadOnly(client: Client): Promise<void> {
  const { rows } = await client.query(ASK_WHETHER_READ_ONLY);
  if (saysReadOnly(rows)) throw new DatabaseReadOnly();
}

interface Asked {
  giveUp: (cause: Error) => void;
}

const TICK_MS = 50;
/** A process without CPU time cannot know that the server did not answer. */
const TICK_COUNTS_MS_MAX = 2 * TICK_MS;
/**
 * Milliseconds after which most statements are answered. For others the server is asked for a sign
 * of life.
 */
const DOUBT_AFTER_MS = 200;
/**
 * Milliseconds. With the way to a caller in another process it stays within the promised second.
 */
const AWAY_AFTER_MS = 450;
const ASK_AGAIN_EVERY_MS = 100;
export const ASK_WHETHER_READ_ONLY = 'SHOW transaction_read_only';
/** The server stops, starts, or has crashed. */
const NOT_SERVING = /^57P/;

/** Every other answer shows that the server is there, even one about too many connections. */
function isAnswer(error: unknown): boolean {
  if (isReadOnly(error)) return true;
  const state = sqlState(error);
  return state !== undefined && !NOT_SERVING.test(state);
}

/**
 * Watches whether the server of a pool is available, so that callers do not wait in vain.
 *
 * States: well; doubted (statements are open and nothing was answered for a while; a statement may
 * be slow, so the watch asks on its own connection); away (no answer there either, or connections
 * are refused: open statements are abandoned and new ones refused until the server answers a new
 * connection); read-only (it answers but takes no writes, like a demoted primary: new statements
 * are refused, reads too, until a new connection can write); closed.
 *
 * Trade: one more connection per pool, kept because opening one is slow on a busy machine. A server
 * that is silent for `awayAfterMs` costs refusals where waiting would have helped. A slow
 * statement, or one that waits for a lock, does not.
 */
export class ServerWatch {
  private asked = new OpenItems<Asked>();
  private ticking: NodeJS.Timeout | undefined;
  private tickedAt = 0;
  private silentMs = 0;
  private isAsking = false;
  /** Whether the server is there but has no connection left for the watch. */
  private isTurnedAway = false;
  private client: Client | undefined;
  private reason: Error | undefined;
  private readonly closing = new AbortController();

  constructor(private readonly options: ServerWatchOptions) {}

  /** Why statements are refused now. Undefined while the server works. */
  get refusesBecause(): Error | undefined {
    return this.reason;
  }

  /** Settles as the work does, or rejects when the server is unavailable. */
  during<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { asked } = this;
      const place = this.begin({ giveUp: reject });
      work.then(
        (result) => {
          this.end(asked, place);
          resolve(result);
        },
        (error: unknown) => {
          this.end(asked, place);
          reject(error as Error);
        },
      );
    });
  }

  /**
   * Takes the reason why a connection was not opened. Open connections may still work: a server in
   * a smart shutdown takes no new ones and lets the others finish.
   */
  couldNotConnect(error: unknown): void {
    const state = sqlState(error);
    // An error without a code waited too long for a connection that others hold.
    const code = (error as NodeJS.ErrnoException).code;
    const isRefused = state === undefined ? code !== undefined : NOT_SERVING.test(state);
    if (isRefused) this.refuse(error as Error);
  }

  /** The server answers and refuses writes. Older connections may differ. */
  takesNoWrites(error: Error): void {
    this.refuse(error);
  }

  close(): void {
    this.closing.abort();
    clearInterval(this.ticking);
    this.ticking = undefined;
    this.dropClient();
  }

  private begin(asked: Asked): number {
    if (this.asked.size === 0) this.silentMs = 0;
    const place = this.asked.add(asked);
    if (this.ticking || this.closing.signal.aborted) return place;
    this.tickedAt = performance.now();
    this.ticking = setInterval(() => this.tick(), TICK_MS).unref();
    return place;
  }

  private end(asked: OpenItems<Asked>, place: number): void {
    this.silentMs = 0;
    asked.remove(place);
  }

  private tick(): void {
    const now = performance.now();
    const sinceMs = Math.min(now - this.tickedAt, TICK_COUNTS_MS_MAX);
    this.tickedAt = now;
    if (this.asked.size === 0) {
      clearInterval(this.ticking);
      this.ticking = undefined;
      return;
    }
    this.silentMs += sinceMs;
    const isDoubtful = this.silentMs >= DOUBT_AFTER_MS;
    // The first connection is opened in advance, before it is needed.
    const isWanted = !this.client && !this.isTurnedAway;
    // While there is a reason to refuse, `untilBack` asks.
    if (!this.reason && !this.isAsking && (isDoubtful || isWanted)) void this.ask();
    if (this.silentMs >= AWAY_AFTER_MS) this.giveUp(new Error('the database does not answer'));
  }

  /** Asks the server for a sign of life. Without one the ticks keep counting. */
  private async ask(): Promise<void> {
    this.isAsking = true;
    try {
      const client = this.client ?? this.keep(await this.connect());
      await refuseReadOnly(client);
      this.silentMs = 0;
      this.isTurnedAway = false;
    } catch (error) {
      this.dropClient();
      const isThere = isAnswer(error);
      if (isThere) this.silentMs = 0;
      if (error instanceof DatabaseReadOnly) this.refuse(error);
      else this.isTurnedAway = isThere;
    } finally {
      this.isAsking = false;
    }
  }

  private giveUp(reason: Error): void {
    this.refuse(reason);
    const { asked } = this;
    this.asked = new OpenItems();
    for (const { giveUp } of asked) giveUp(reason);
  }

  private refuse(reason: Error): void {
    if (this.reason || this.closing.signal.aborted) return;
    this.reason = reason;
    this.dropClient();
    void this.untilBack();
  }

  private async untilBack(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      if (await this.isBack()) break;
      await sleep(ASK_AGAIN_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    this.silentMs = 0;
    if (isReadOnly(this.reason)) this.options.onWritableAgain?.();
    this.reason = undefined;
  }

  private async isBack(): Promise<boolean> {
    let client: Client | undefined;
    try {
      client = await this.connect();
      await refuseReadOnly(client);
      this.keep(client);
      return true;
    } catch (error) {
      void client?.end().catch(() => undefined);
      if (!(error instanceof DatabaseReadOnly)) return isAnswer(error);
      // Statements on older connections may still finish.
      this.silentMs = 0;
      this.reason = error;
      return false;
    }
  }

  private async connect(): Promise<Client> {
    const client = this.options.createClient();
    await client.connect();
    if (this.closing.signal.aborted) {
      await client.end();
      throw new Error('the pool is closed');
    }
    client.once('end', () => {
      if (this.client === client) this.client = undefined;
    });
    return client;
  }

  /** Keeps one client. Another may have been opened meanwhile. */
  private keep(client: Client): Client {
    if (this.client) void client.end().catch(() => undefined);
    else this.client = client;
    return this.client;
  }

  private dropClient(): void {
    void this.client?.end().catch(() => undefined);
    this.client = undefined;
  }
}
