import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { DatabaseReadOnly, isReadOnly, sqlState } from './database-errors.js';

export interface ServerWatchOptions {
  /** A connection of the watch's own, not yet connected, that gives up soon. */
  createClient: () => Client;
  /** Told when the server takes writes again. */
  onWritableAgain?: () => void;
}

interface Setting {
  transaction_read_only: 'on' | 'off';
}

/** A standby says so, and a server that a setting makes read-only. */
export function saysReadOnly(rows: readonly unknown[]): boolean {
  return (rows[0] as Setting | undefined)?.transaction_read_only === 'on';
}

async function refuseReadOnly(client: Client): Promise<void> {
  const { rows } = await client.query(askWhetherReadOnly);
  if (saysReadOnly(rows)) throw new DatabaseReadOnly();
}

interface Asked {
  giveUp: (cause: Error) => void;
}

const tickMs = 50;
/** A process that got no CPU time cannot say that the server did not answer. */
const tickCountsMsMax = 2 * tickMs;
/** By then most statements are answered; for the others the server is asked whether it is there. */
const doubtAfterMs = 200;
/** With the way to a caller in another process this is well within the second that all may wait. */
const awayAfterMs = 450;
const askAgainEveryMs = 100;
export const askWhetherReadOnly = 'SHOW transaction_read_only';
/** It stops, starts, or has crashed. */
const notServing = /^57P/;

/** Any other answer, even that the server takes no more connections, shows that it is there. */
function isAnswer(error: unknown): boolean {
  if (isReadOnly(error)) return true;
  const state = sqlState(error);
  return state !== undefined && !notServing.test(state);
}

/**
 * Whether the server of a pool is there, so that callers do not wait for one that is not.
 *
 * States: well; doubted (something was asked and nothing has been answered for a while: a statement
 * may be slow, so the server is asked on a connection of our own); away (it has not answered that
 * either, or refuses connections: open statements are given up and new ones refused until it answers a
 * new connection); read-only (it answers and takes no writes, as a demoted primary: new statements
 * are refused, reads too, until it takes a write of a new connection);
 * closed.
 *
 * Trade: one connection more for each pool, kept because opening one takes long where the machine
 * is busy. A server that answers nothing for `awayAfterMs` costs refusals, where waiting would have
 * done; a slow statement, or one that waits for a lock, does not.
 */
export class ServerWatch {
  private readonly asked = new Set<Asked>();
  private ticking: NodeJS.Timeout | undefined;
  private tickedAt = 0;
  private silentMs = 0;
  private isAsking = false;
  /** The server is there, and has no connection left for us. */
  private isTurnedAway = false;
  private client: Client | undefined;
  private reason: Error | undefined;
  private readonly closing = new AbortController();

  constructor(private readonly options: ServerWatchOptions) {}

  /** Why statements are refused now; undefined while all is well. */
  get refusesBecause(): Error | undefined {
    return this.reason;
  }

  /** As the work does, or rejects when the server is away. */
  during<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const asked: Asked = { giveUp: reject };
      this.begin(asked);
      work.then(resolve, reject).finally(() => this.end(asked));
    });
  }

  /**
   * With the reason why a connection was not opened. Those that are open may be in use all the same:
   * a server that stops in peace takes no new ones, and lets the others come to their end.
   */
  couldNotConnect(error: unknown): void {
    const state = sqlState(error);
    // What has no code waited too long for a connection that others hold.
    const code = (error as NodeJS.ErrnoException).code;
    const isRefused = state === undefined ? code !== undefined : notServing.test(state);
    if (isRefused) this.refuse(error as Error);
  }

  /** It answers, and refuses writes. Other connections may be of another mind: they are older. */
  takesNoWrites(error: Error): void {
    this.refuse(error);
  }

  close(): void {
    this.closing.abort();
    clearInterval(this.ticking);
    this.ticking = undefined;
    this.dropClient();
  }

  private begin(asked: Asked): void {
    if (this.asked.size === 0) this.silentMs = 0;
    this.asked.add(asked);
    if (this.ticking || this.closing.signal.aborted) return;
    this.tickedAt = performance.now();
    this.ticking = setInterval(() => this.tick(), tickMs).unref();
  }

  private end(asked: Asked): void {
    this.silentMs = 0;
    this.asked.delete(asked);
  }

  private tick(): void {
    const now = performance.now();
    const sinceMs = Math.min(now - this.tickedAt, tickCountsMsMax);
    this.tickedAt = now;
    if (this.asked.size === 0) {
      clearInterval(this.ticking);
      this.ticking = undefined;
      return;
    }
    this.silentMs += sinceMs;
    const isDoubtful = this.silentMs >= doubtAfterMs;
    // The first time it is not needed yet, and opened to be there.
    const isWanted = !this.client && !this.isTurnedAway;
    // While there is a reason to refuse, `untilBack` asks.
    if (!this.reason && !this.isAsking && (isDoubtful || isWanted)) void this.ask();
    if (this.silentMs >= awayAfterMs) this.giveUp(new Error('the database does not answer'));
  }

  /** Asks the server for a sign of life; without one the ticks keep counting. */
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
    for (const { giveUp } of this.asked) giveUp(reason);
    this.asked.clear();
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
      await sleep(askAgainEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
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
      // Statements on older connections may still come to their end.
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

  /** One is enough: meanwhile another may have been opened. */
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
