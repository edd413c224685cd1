import { Inject, Injectable } from '@nestjs/common';
import { ApiError, ERROR_MESSAGES, type WorkspaceId } from '@watchword/contracts';
import { counter } from '@watchword/observability';

const countShed = counter(
  'watchword_sends_shed_total',
  'Sends that were refused before they were read, because sends wait too long: `one_workspace` where one has most of those under way.',
  { reason: ['all', 'one_workspace'] },
);

/** Milliseconds. A queue that empties sooner is a burst. */
const STANDING_MS = 500;
const RETRY_AFTER_SECONDS = 1;

export interface AdmissionBounds {
  /** Milliseconds that a send may wait for its acceptance before a gateway counts as overloaded. */
  readonly waitMs: number;
  /** Sends that a gateway always takes at a time; a batch is one. */
  readonly underWayMin: number;
}
export const BOUNDS: AdmissionBounds = { waitMs: 250, underWayMin: 256 };
/** Specs have their own. */
export const ADMISSION_BOUNDS = Symbol('bounds of the admission of sends');

/** Milliseconds of a clock that never goes back. Specs have their own. */
export const ADMISSION_TIME = Symbol('time of the admission of sends');

/**
 * Keeps the queue of sends short, because a quick refusal is worth more than a late acceptance
 * (ADR 67).
 *
 * States: open, overloaded. A gateway becomes overloaded when billing has answered no single send
 * within `waitMs` for half a second. An answer within half of `waitMs`, or an empty
 * queue, opens it again. An overloaded gateway holds at most as many sends as billing answered in
 * the last `waitMs`, but never fewer than `underWayMin`. Beyond that it refuses the
 * sends of a workspace that has its equal share of them under way.
 *
 * Trade: it measures the wait in this gateway, which its own processor, a slow database or billing
 * may cause. So it needs no signal from another process.
 */
@Injectable()
export class SendAdmission {
  private readonly underWay = new Map<string, number>();
  private total = 0;
  /** When billing last answered a send quickly, or none waited. */
  private quickAtMs = -Infinity;
  private finished = { sinceMs: 0, now: 0, before: 0 };

  constructor(
    @Inject(ADMISSION_BOUNDS) private readonly bounds: AdmissionBounds,
    @Inject(ADMISSION_TIME) private readonly time: () => number,
  ) {}

  /** Returns the refusal of one more send of this workspace. */
  refusal(workspaceId: WorkspaceId): ApiError | undefined {
    if (this.total < this.bounds.underWayMin || !this.isOverloaded) return undefined;
    const limit = this.limitNow();
    const own = this.underWay.get(workspaceId) ?? 0;
    if (this.total < limit || own < limit / this.underWay.size) return undefined;
    countShed({ reason: own > this.total / 2 && own < this.total ? 'one_workspace' : 'all' });
    return new ApiError('internal_error', {
      status: 503,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      message: ERROR_MESSAGES.busy,
    });
  }

  /**
   * Counts a send, or a batch, as open from when it was read. Call `answered` when billing has
   * answered a single send; batches have their own queue.
   */
  async during<Result>(
    workspaceId: WorkspaceId,
    accept: (answered: () => void) => Promise<Result>,
  ): Promise<Result> {
    const beganAtMs = this.time();
    if (this.total === 0) this.quickAtMs = beganAtMs;
    this.add(workspaceId, 1);
    try {
      return await accept(() => this.finish(beganAtMs));
    } finally {
      this.add(workspaceId, -1);
    }
  }

  private get isOverloaded(): boolean {
    return this.time() - this.quickAtMs > STANDING_MS;
  }

  private limitNow(): number {
    this.turn(this.time());
    return Math.max(this.bounds.underWayMin, this.finished.before);
  }

  private add(workspaceId: WorkspaceId, count: number): void {
    this.total += count;
    const own = (this.underWay.get(workspaceId) ?? 0) + count;
    if (own === 0) this.underWay.delete(workspaceId);
    else this.underWay.set(workspaceId, own);
  }

  private finish(beganAtMs: number): void {
    const nowMs = this.time();
    const { waitMs } = this.bounds;
    // During an overload the bound keeps waits near the target, so only a shorter one shows that
    // the queue is gone.
    const quickMs = this.isOverloaded ? waitMs / 2 : waitMs;
    if (nowMs - beganAtMs <= quickMs) this.quickAtMs = nowMs;
    this.turn(nowMs);
    this.finished.now += 1;
  }

  /** Begins a new period of `waitMs` once the last one is over. */
  private turn(nowMs: number): void {
    const { sinceMs, now } = this.finished;
    const periods = Math.floor((nowMs - sinceMs) / this.bounds.waitMs);
    if (periods < 1) return;
    this.finished = { sinceMs: nowMs, now: 0, before: periods === 1 ? now : 0 };
  }
}
