import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { Sender } from './sender.js';
import { UnfinishedStore } from './unfinished.store.js';

/** Milliseconds; longer than any pause of a living process. */
const ALIVE_FOR_MS = 10_000;
/**
 * Milliseconds. After a while without work the process renews its record less often, and for
 * longer.
 */
const IDLE = { afterMs: 5_000, aliveForMs: 20_000, renewedMs: 10_000 };
/** Messages that one statement takes over. */
export const CLAIMED_MAX = 100;

/**
 * The heartbeat of this process. When it lapses, other processes take over the sendings of this
 * one. If this process only paused, both processes write with the version that they read. One write
 * succeeds, and only the process that recorded an attempt calls the carrier.
 */
@Injectable()
export class Liveness {
  private untilMs = 0;
  private busyAtMs = performance.now();

  constructor(
    private readonly unfinished: UnfinishedStore,
    private readonly sender: Sender,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async announce(): Promise<void> {
    const untilMs = this.clock.now() + ALIVE_FOR_MS;
    await this.unfinished.alive(this.sender.id, new Date(untilMs));
    this.untilMs = untilMs;
  }

  /**
   * Renews the record when that is due, or when dead processes have left messages. Returns the
   * messages of dead processes that the same statement took over, at most `CLAIMED_MAX`.
   */
  async renew(isBusy: boolean, isLeft: boolean): Promise<readonly string[]> {
    if (isBusy) this.busyAtMs = performance.now();
    const isIdle = performance.now() - this.busyAtMs > IDLE.afterMs;
    const now = this.clock.now();
    if (isIdle && !isLeft && this.untilMs - now > IDLE.renewedMs) return [];
    const untilMs = now + (isIdle ? IDLE.aliveForMs : ALIVE_FOR_MS);
    const { id } = this.sender;
    const until = new Date(untilMs);
    const ids = await this.unfinished.aliveAndClaim(id, until, new Date(now), CLAIMED_MAX);
    this.untilMs = untilMs;
    return ids;
  }

  /** Lets other processes take over the rest at once. */
  async leave(): Promise<void> {
    await this.unfinished.leave(this.sender.id);
  }
}
