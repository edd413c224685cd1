import { Inject, Injectable } from '@nestjs/common';
import { ApiError, type BillingCalls, type Clock, ERROR_MESSAGES } from '@watchword/contracts';
import { BoundedMap, CLOCK } from '@watchword/platform';
import type { Caller, WorkspaceView } from '../accounts/keys/key-directory.port.js';
import { BILLING } from '../calls/billing-calls.js';
import type { WaivableCounters } from './destination-limits.js';
import { trialCounters } from './limit-table.policy.js';

const REMEMBERED_MAX = 10_000;
/** Milliseconds between questions about a purchase. A shared counter asks before it refuses. */
const ASKED_AGAIN_AFTER_MS = 5_000;

type Sender = Pick<Caller, 'mode' | 'workspace'>;
type Origin = Pick<WorkspaceView, 'id' | 'origin'>;

/**
 * Workspaces created by sign-up without a purchase of credits. A purchase is remembered without
 * end, its absence for seconds.
 */
@Injectable()
export class TrialWorkspaces {
  private readonly purchasers = new BoundedMap<string, true>(REMEMBERED_MAX);
  private readonly askedAtMs = new BoundedMap<string, number>(REMEMBERED_MAX);

  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'getAccount'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns whether a send counts against the limits of all trial workspaces: none of a test key
   * does. Refuses a workspace with trial credits that await confirmation.
   */
  check({ mode, workspace }: Sender): boolean | Promise<boolean> {
    if (mode === 'test' || this.isExempt(workspace)) return false;
    const isPending = workspace.trialCreditsPending > 0;
    return this.wasTrial(workspace) && !isPending ? true : this.checkNow(workspace);
  }

  /** Returns the counters that a trial workspace shares, which a purchase ends at once. */
  countersOf(workspace: WorkspaceView, e164: string): WaivableCounters {
    const isWaived = async () => !(await this.checkNow(workspace));
    return { counters: trialCounters(e164), isWaived };
  }

  /** Returns what a send of now would find, and its refusal as a value. */
  async judge({
    mode,
    workspace,
  }: Sender): Promise<{ isTrial: boolean; refused: ApiError | null }> {
    try {
      return { isTrial: mode === 'live' && (await this.checkNow(workspace)), refused: null };
    } catch (error) {
      if (error instanceof ApiError) return { isTrial: true, refused: error };
      throw error;
    }
  }

  /** Checks as `check` does, with the purchases of now. */
  private async checkNow(workspace: WorkspaceView): Promise<boolean> {
    return (await this.isTrial(workspace)) && refuseUnconfirmed(workspace);
  }

  /** Returns whether it came by sign-up and has bought nothing until now, whatever the mode. */
  async isTrial(workspace: Origin): Promise<boolean> {
    if (this.isExempt(workspace)) return false;
    const { id } = workspace;
    const account = await this.billing.getAccount({ workspace_id: id });
    if ((account?.purchased_credits ?? 0) > 0) {
      this.purchasers.set(id, true);
      return false;
    }
    this.askedAtMs.set(id, this.clock.now());
    return true;
  }

  private wasTrial({ id }: Origin): boolean {
    const askedAtMs = this.askedAtMs.get(id) ?? Number.NEGATIVE_INFINITY;
    return this.clock.now() - askedAtMs < ASKED_AGAIN_AFTER_MS;
  }

  private isExempt({ id, origin }: Origin): boolean {
    return origin !== 'sign_up' || this.purchasers.get(id) === true;
  }
}

function refuseUnconfirmed({ trialCreditsPending }: WorkspaceView): true {
  if (trialCreditsPending === 0) return true;
  throw new ApiError('permission_error', {
    field: 'email',
    message: ERROR_MESSAGES.confirmationNeeded,
  });
}
