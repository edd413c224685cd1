import { Inject, Injectable } from '@nestjs/common';
import {
  type BillingCalls,
  type Outcome,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { BILLING } from '../../calls/billing-calls.js';
import { existingWorkspace } from './workspace-lookup.js';
import { WorkspaceRecords } from './workspace-records.handler.js';
import { WorkspaceStore } from './workspace.store.js';

/**
 * Confirms a workspace and enters its pending trial credits. Billing enters them at most once, so a
 * repetition completes a confirmation that failed half-way.
 */
@Injectable()
export class ConfirmWorkspaceHandler {
  constructor(
    private readonly workspaces: WorkspaceStore,
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'grantTrial'>,
    private readonly records: WorkspaceRecords,
  ) {}

  async confirm(workspaceId: WorkspaceId): Promise<Outcome> {
    const { id, trialCreditsPending: credits } = await existingWorkspace(
      this.workspaces,
      workspaceId,
    );
    if (credits > 0) {
      const account = await this.billing.grantTrial({ workspace_id: id, credits });
      if (!account) throw unknownResource('credit_account');
    }
    await this.workspaces.confirm(id);
    return {
      body: await this.records.read(id),
      effect: { workspace_id: id, trial_credits: credits },
    };
  }
}
