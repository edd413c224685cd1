import type { AcceptanceNote, BillingCalls, Clock, WorkspaceId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { MemoryRateLimiter } from '@watchword/rate-limit';
import { onceAvailable } from '@watchword/platform';
import type { CounterStore } from './counter.store.js';
import { DESTINATION_WINDOW_SECONDS_MAX, destinationWindows } from './limit-table.policy.js';

/** Milliseconds between snapshots, as long as they are quick. */
const EVERY_MS = 1_000;
/** Snapshots may use one part in this many of the time. */
const SHARE = 100;
/**
 * Milliseconds after which an unchanged snapshot is written again. A crash never leaves more to
 * recount.
 */
const UNCHANGED_EVERY_MS = 30_000;
const PAGE = 5_000;
/** Milliseconds that a start waits for billing before it continues without. */
const START_PATIENCE_MS = 20_000;

interface Span {
  readonly since: Date;
  readonly until: Date;
}

export interface KeptCountersParts {
  readonly limiter: MemoryRateLimiter;
  readonly store: CounterStore;
  readonly billing: Pick<BillingCalls, 'listAcceptances'>;
  /**
   * Returns those of the workspaces that signed up by themselves. Their sends also count in shared
   * windows.
   */
  readonly createdBySignUp: (ids: readonly WorkspaceId[]) => Promise<ReadonlySet<WorkspaceId>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Keeps counters through a restart, so that no limit admits twice. They live in memory, with a copy
 * in the database. After a crash the copy is as old as the last snapshot: a second, or more where
 * copying every second would cost too much. Sends accepted since then are counted from billing's
 * records, so limits by destination hold through a crash. Counters of mere requests (by address,
 * key and workspace, and of guesses, which each code's attempt budget bounds) start from the copy.
 */
export class KeptCounters {
  private timer: NodeJS.Timeout | undefined;
  private saving: Promise<void> = Promise.resolve();
  private written = '';
  private writtenAtMs = 0;
  private uncounted: Span | null = null;

  constructor(private readonly parts: KeptCountersParts) {}

  /** Call it before anything is counted. */
  async restore(): Promise<void> {
    const { clock, limiter, store } = this.parts;
    const nowMs = clock.now();
    const kept = await store.read();
    limiter.restore(kept?.windows ?? []);
    const oldestMs = nowMs - DESTINATION_WINDOW_SECONDS_MAX * 1_000;
    const since = new Date(Math.max(kept?.takenAt.getTime() ?? 0, oldestMs));
    this.uncounted = { since, until: new Date(nowMs) };
  }

  /**
   * Call it when other services can be called, before the first send. While billing is unavailable
   * no send is accepted, and it is asked again. No snapshot is taken until the missed sends are
   * counted, because it would hide them from the next start.
   */
  async start(): Promise<void> {
    await this.recount(START_PATIENCE_MS);
    this.schedule(EVERY_MS);
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.saving;
    await this.save();
  }

  /**
   * Counts accepted sends. A send that was counted but not accepted at the snapshot counts twice:
   * rarely, after a crash, a send is refused too early, never one too many admitted.
   */
  private async recount(patienceMs: number): Promise<void> {
    if (this.uncounted === null) return;
    const { limiter, logger } = this.parts;
    const span = this.uncounted;
    try {
      const missed = await onceAvailable(() => this.acceptedMeanwhile(span), patienceMs);
      const ids = [...new Set(missed.map((accepted) => accepted.workspace_id))];
      const trials = await this.parts.createdBySignUp(ids);
      for (const accepted of missed) {
        const { kind, workspace_id: workspaceId, destination, created_at: at } = accepted;
        for (const window of destinationWindows(
          kind,
          workspaceId,
          destination,
          trials.has(workspaceId),
        )) {
          limiter.recount(window, Date.parse(at));
        }
      }
      this.uncounted = null;
    } catch (error) {
      logger.warn({ err: error }, 'sends before a restart are not counted in limits yet');
    }
  }

  private async acceptedMeanwhile({ since, until }: Span): Promise<AcceptanceNote[]> {
    const span = { since: since.toISOString(), until: until.toISOString(), limit: PAGE };
    const accepted: AcceptanceNote[] = [];
    let after: string | undefined;
    do {
      const request = after === undefined ? span : { ...span, after };
      const page = await this.parts.billing.listAcceptances(request);
      accepted.push(...page.data);
      after = page.next_after;
    } while (after !== undefined);
    return accepted;
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      const startedAt = performance.now();
      this.saving = this.save().then(() => {
        if (this.timer === undefined) return;
        this.schedule(Math.max(EVERY_MS, (performance.now() - startedAt) * SHARE));
      });
    }, delayMs).unref();
  }

  private async save(): Promise<void> {
    const { clock, limiter, logger, store } = this.parts;
    await this.recount(0);
    if (this.uncounted !== null) return;
    const nowMs = clock.now();
    const windows = JSON.stringify(limiter.snapshot());
    if (windows === this.written && nowMs - this.writtenAtMs < UNCHANGED_EVERY_MS) return;
    try {
      await store.write(windows, new Date(nowMs));
      this.written = windows;
      this.writtenAtMs = nowMs;
    } catch (error) {
      logger.warn({ err: error }, 'storing rate limit counters failed');
    }
  }
}
