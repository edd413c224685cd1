import type { Pool, PoolClient } from 'pg';

/** Milliseconds after which a connection that was never needed goes back to the pool. */
const REST_AFTER_MS = 60_000;

/**
 * Connections between two statements, the one used last on top. They stay checked out of the pool, whose
 * own way out and in sets two timers and makes a dozen objects for each statement (ADR 14). The one
 * used last has its server process in the processors' caches, too.
 *
 * A connection that was not needed for a while goes back to the pool, which closes it. One that breaks
 * goes back at once.
 */
export class WarmConnections {
  private readonly stack: PoolClient[] = [];
  private readonly broken = new WeakSet<PoolClient>();
  /** The fewest that waited here since the last look. */
  private fewest = 0;
  private readonly looking: NodeJS.Timeout;
  private isClosed = false;

  constructor(
    private readonly pool: Pick<Pool, 'waitingCount'>,
    private readonly onIdleError: (error: Error) => void,
  ) {
    this.looking = setInterval(() => this.rest(), REST_AFTER_MS).unref();
  }

  /** Watches a new connection of the pool. */
  opened(client: PoolClient): void {
    client.once('error', (error) => this.broke(client, error));
    client.once('end', () => this.broke(client));
  }

  take(): PoolClient | undefined {
    const client = this.stack.pop();
    if (this.stack.length < this.fewest) this.fewest = this.stack.length;
    return client;
  }

  /** Keeps a connection, or gives it back to the pool where others wait for one. */
  giveBack(client: PoolClient): void {
    if (this.isClosed || this.pool.waitingCount > 0 || this.broken.has(client)) client.release();
    else this.stack.push(client);
  }

  /** Closes those that wait here: their server or its host may be gone. */
  drop(): void {
    for (const client of this.stack.splice(0)) client.release(true);
    this.fewest = 0;
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.looking);
    for (const client of this.stack.splice(0)) client.release();
  }

  private rest(): void {
    for (const client of this.stack.splice(0, this.fewest)) client.release();
    this.fewest = this.stack.length;
  }

  private broke(client: PoolClient, error?: Error): void {
    this.broken.add(client);
    const at = this.stack.indexOf(client);
    if (at < 0) return;
    this.stack.splice(at, 1);
    this.fewest = Math.min(this.fewest, this.stack.length);
    client.release(true);
    if (error) this.onIdleError(error);
  }
}
