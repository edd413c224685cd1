import { Inject, Injectable } from '@nestjs/common';
import { ApiError, type BillingCalls, type Clock, ERROR_MESSAGES } from '@watchword/contracts';
import { BoundedMap, CLOCK } from '@watchword/platform';
import type { Caller, WorkspaceView } from '../accounts/keys/key-directory.port.js';
import { BILLING } from '../calls/billing-calls.js';

const REMEMBERED_MAX = 10_000;
/** Milliseconds between questions about a purchase. Billing itself exempts one from the shared windows. */
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
   * Returns whether a send counts against the limits of all trial workspaces. Sends with a test key do
   * not. Refuses a workspace with trial credits that await confirmation. A purchase may count seconds
   * late.
   */
  check({ mode, workspace }: Sender): boolean | Promise<boolean> {
    if (mode === 'test' || this.isExempt(workspace)) return false;
    const refusal = unconfirmedRefusal(workspace);
    const askedAtMs = this.askedAtMs.get(workspace.id) ?? Number.NEGATIVE_INFINITY;
    const isFresh = this.clock.now() - askedAtMs < ASKED_AGAIN_AFTER_MS;
    if (isFresh && refusal === null) return true;
    return this.isTrial(workspace).then((isTrial) => {
      if (isTrial && refusal !== null) throw refusal;
      return isTrial;
    });
  }

  /** Returns whether the workspace is on trial in either mode. A purchase counts at once. */
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

  /** Returns whether the workspace is known to be on trial no more, without a question to billing. */
  isExempt({ id, origin }: Origin): boolean {
    return origin !== 'sign_up' || this.purchasers.get(id) === true;
  }
}

/** Returns why a trial workspace may not send yet, or null. */
export function unconfirmedRefusal({ trialCreditsPending }: WorkspaceView): ApiError | null {
  if (trialCreditsPending === 0) return null;
  return new ApiError('permission_error', {
    field: 'email',
    message: ERROR_MESSAGES.confirmationNeeded,
  });
}
