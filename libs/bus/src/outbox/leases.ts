import { awayDelayMs, pause } from '../consumer/batch-runner.js';
import type { ControlConnection } from './control-connection.js';

/** The right to be the only consumer of a group on a topic, until it is lost or released. */
export interface Lease {
  readonly name: string;
  lost: boolean;
}

const STANDBY_POLL_MS = 500;

/**
 * One consumer per group and topic. Advisory locks enforce it across processes; `held` does within
 * this one, whose locks share a session. Other consumers ask twice a second.
 */
export class Leases {
  private readonly held = new Map<string, Lease>();

  constructor(private readonly connection: ControlConnection) {}

  /** Waits until this process holds the lease. Rejects with `Stopped`. */
  async acquire(name: string, signal: AbortSignal): Promise<Lease> {
    for (let tries = 0; ; tries += 1) {
      const lease = await this.tryAcquire(name);
      if (lease) return lease;
      await pause(this.connection.connected ? STANDBY_POLL_MS : awayDelayMs(tries) / 4, signal);
    }
  }

  async release(lease: Lease): Promise<void> {
    if (lease.lost || this.held.get(lease.name) !== lease) return;
    lease.lost = true;
    // If this fails, the connection is broken and the lock is gone.
    await this.connection.unlock(lease.name).catch(() => undefined);
    this.held.delete(lease.name);
  }

  /** Drops all leases after the connection broke. Other processes may hold them now. */
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
