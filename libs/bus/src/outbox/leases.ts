import { awayDelayMs, pause } from '../consumer/batch-runner.js';
import type { ControlConnection } from './control-connection.js';

/** The right to be the one consumer of a group on a topic, until it is lost or released. */
export interface Lease {
  readonly name: string;
  lost: boolean;
}

const standbyPollMs = 500;

/**
 * One consumer per group and topic, across processes by advisory locks and within this one (whose
 * locks are all the same session's) by `held`. The others stand by, asking twice a second.
 */
export class Leases {
  private readonly held = new Map<string, Lease>();

  constructor(private readonly connection: ControlConnection) {}

  /** Waits until this process holds the lease; rejects with `Stopped`. */
  async acquire(name: string, signal: AbortSignal): Promise<Lease> {
    for (let tries = 0; ; tries += 1) {
      const lease = await this.tryAcquire(name);
      if (lease) return lease;
      await pause(this.connection.connected ? standbyPollMs : awayDelayMs(tries) / 4, signal);
    }
  }

  async release(lease: Lease): Promise<void> {
    if (lease.lost || this.held.get(lease.name) !== lease) return;
    lease.lost = true;
    // If this fails, so does the connection, and the lock with it.
    await this.connection.unlock(lease.name).catch(() => undefined);
    this.held.delete(lease.name);
  }

  /** The connection broke: others may have taken over by now. */
  loseAll(): void {
    for (const lease of this.held.values()) lease.lost = true;
    this.held.clear();
  }

  private async tryAcquire(name: string): Promise<Lease | undefined> {
    if (this.held.has(name)) return undefined;
    const lease: Lease = { name, lost: false };
    this.held.set(name, lease);
    const locked = await this.connection.tryLock(name).catch(() => false);
    if (locked && !lease.lost) return lease;
    if (this.held.get(name) === lease) this.held.delete(name);
    return undefined;
  }
}
