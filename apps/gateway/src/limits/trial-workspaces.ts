import { Inject, Injectable } from '@nestjs/common';
import { ApiError, type BillingCalls, ERROR_MESSAGES } from '@watchword/contracts';
import { BoundedMap } from '@watchword/platform';
import type { Caller, WorkspaceView } from '../accounts/keys/key-directory.port.js';
import { BILLING } from '../calls/billing-calls.js';

const REMEMBERED_MAX = 10_000;
type Sender = Pick<Caller, 'mode' | 'workspace'>;
type Origin = Pick<WorkspaceView, 'id' | 'origin'>;

/**
 * Workspaces created by sign-up without a purchase of credits. A purchase is remembered without
 * end, its absence is not.
 */
@Injectable()
export class TrialWorkspaces {
  private readonly purchasers = new BoundedMap<string, true>(REMEMBERED_MAX);

  constructor(@Inject(BILLING) private readonly billing: Pick<BillingCalls, 'getAccount'>) {}

  /**
   * Returns whether a send counts against the limits of all trial workspaces. Sends with a test key do
   * not. Refuses a workspace with trial credits that await confirmation.
   */
  check({ mode, workspace }: Sender): boolean | Promise<boolean> {
    if (mode === 'test' || this.isExempt(workspace)) return false;
    const refusal = unconfirmedRefusal(workspace);
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
    const hasBought = (account?.purchased_credits ?? 0) > 0;
    if (hasBought) this.purchasers.set(id, true);
    return !hasBought;
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
