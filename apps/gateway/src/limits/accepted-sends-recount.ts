import { Inject, Injectable } from '@nestjs/common';
import type { AcceptanceNote, BillingCalls, Clock } from '@watchword/contracts';
import { CLOCK, onceAvailable, TookTooLong, within } from '@watchword/platform';
import { MemoryRateLimiter, type RateLimiter } from '@watchword/rate-limit';
import { WorkspaceStore } from '../accounts/workspaces/workspace.store.js';
import { BILLING } from '../calls/billing-calls.js';
import { knownChannel } from '../channels/channels.js';
import { DESTINATION_WINDOW_SECONDS_MAX, destinationWindows } from './limit-table.policy.js';
import { RATE_LIMITER } from './limits.js';
import { PrefixGuard } from './prefix-guard.js';

const PAGE = 5_000;
/** Milliseconds that a start waits for billing. No send is accepted without it. */
const START_WAIT_MS = 20_000;

/**
 * Counts the sends of the last hour again after a start, from billing's records: a restart admits
 * no send twice. Counters of requests start from zero. Redis keeps its counters itself.
 */
@Injectable()
export class AcceptedSendsRecount {
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'listAcceptances'>,
    private readonly workspaces: WorkspaceStore,
    private readonly prefixes: PrefixGuard,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Call it before the first send, when the restrictions of prefixes are known. */
  async start(): Promise<void> {
    const { limiter } = this;
    if (!(limiter instanceof MemoryRateLimiter)) return;
    const untilMs = this.clock.now();
    const recount = async () => {
      if (!this.isStopped) await this.recount(limiter, untilMs);
    };
    this.running = onceAvailable(recount, Infinity);
    try {
      await within(START_WAIT_MS, this.running);
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async recount(limiter: MemoryRateLimiter, untilMs: number): Promise<void> {
    const accepted = await this.acceptedUntil(untilMs);
    const ids = [...new Set(accepted.map((send) => send.workspace_id))];
    const trials = await this.workspaces.createdBySignUp(ids);
    for (const { kind, workspace_id: workspaceId, destination, created_at: at } of accepted) {
      const atMs = Date.parse(at);
      const isTrial = trials.has(workspaceId);
      const windows = destinationWindows(kind, workspaceId, destination, isTrial);
      if (knownChannel(kind)?.isPumped) {
        windows.push(...this.prefixes.windowAt(workspaceId, destination, atMs));
      }
      for (const window of windows) limiter.recount(window, atMs);
    }
  }

  private async acceptedUntil(untilMs: number): Promise<AcceptanceNote[]> {
    const since = new Date(untilMs - DESTINATION_WINDOW_SECONDS_MAX * 1_000).toISOString();
    const span = { since, until: new Date(untilMs).toISOString(), limit: PAGE };
    const accepted: AcceptanceNote[] = [];
    let after: string | undefined;
    do {
      const request = after === undefined ? span : { ...span, after };
      const page = await this.billing.listAcceptances(request);
      accepted.push(...page.data);
      after = page.next_after;
    } while (after !== undefined);
    return accepted;
  }
}
