import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type BillingCalls,
  type ChangeWorkspaceBody,
  inputMessage,
  type Outcome,
  type PageQuery,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { readPage } from '@watchword/contracts';
import { BILLING } from '../../calls/billing-calls.js';
import type { SettingsAuthor } from '../settings/setting-roles.policy.js';
import { checkSettings } from '../settings/workspace-settings.policy.js';
import { existingWorkspace } from './workspace-lookup.js';
import { warningsOf } from './workspace-warnings.policy.js';
import type { Wording, Workspace } from './workspace.js';
import { WorkspaceStore } from './workspace.store.js';

type Account = NonNullable<Awaited<ReturnType<BillingCalls['getAccount']>>>;

export type WorkspaceRecord = ReturnType<typeof workspaceRecord>;

/** Workspaces with their balances, for operators and for members. */
@Injectable()
export class WorkspaceRecords {
  constructor(
    private readonly workspaces: WorkspaceStore,
    @Inject(BILLING)
    private readonly billing: Pick<
      BillingCalls,
      'getAccounts' | 'setLowBalanceThreshold' | 'setSuspended'
    >,
  ) {}

  async read(id: WorkspaceId): Promise<WorkspaceRecord> {
    return this.withAccount(await existingWorkspace(this.workspaces, id));
  }

  async list(query: PageQuery): Promise<Outcome> {
    const read = (limit: number, beforeId: string | null) => this.workspaces.list(limit, beforeId);
    return { body: await readPage('workspaces', query, read, (rows) => this.withAccounts(rows)) };
  }

  /** Changes a workspace. Resolves once every gateway uses the new state. */
  async change(
    id: WorkspaceId,
    patch: ChangeWorkspaceBody,
    author: SettingsAuthor,
    judgedBeside?: Wording,
  ): Promise<Outcome> {
    const { name, settings, suspended, reason } = patch;
    checkSettings(settings ?? {});
    checkSuspension(patch);
    const suspension = suspended === undefined ? undefined : suspended ? reason : null;
    // Billing hears of a suspension first, and of its end last: so a suspended workspace is never charged.
    if (suspended) await this.billing.setSuspended({ workspace_id: id, suspended });
    const change = { name, settings, suspension, judgedBeside };
    const workspace = await this.workspaces.change(id, change, author);
    if (!workspace) throw unknownResource('workspace');
    if (suspended === false) await this.billing.setSuspended({ workspace_id: id, suspended });
    if (settings?.low_balance_threshold !== undefined) await this.sendThreshold(workspace);
    return {
      body: await this.withAccount(workspace),
      effect: { workspace_id: id, name, settings, suspended, reason },
    };
  }

  /**
   * Sends the stored value to billing, so a repetition repairs a change that failed here. It sends
   * again what a concurrent change has stored, because its own call may have arrived last.
   */
  private async sendThreshold(workspace: Workspace): Promise<void> {
    const { id } = workspace;
    let sent: number | null;
    let threshold = workspace.settings.low_balance_threshold;
    do {
      sent = threshold;
      await this.billing.setLowBalanceThreshold({ workspace_id: id, threshold });
      const { settings } = await existingWorkspace(this.workspaces, id);
      threshold = settings.low_balance_threshold;
    } while (threshold !== sent);
  }

  private async withAccount(workspace: Workspace): Promise<WorkspaceRecord> {
    return (await this.withAccounts([workspace]))[0] as WorkspaceRecord;
  }

  private async withAccounts(workspaces: Workspace[]): Promise<WorkspaceRecord[]> {
    const ids = workspaces.map((workspace) => workspace.id);
    const { accounts } = await this.billing.getAccounts({ workspace_ids: ids });
    const byWorkspace = new Map(accounts.map((account) => [account.workspace_id, account]));
    return workspaces.map((workspace) => workspaceRecord(workspace, byWorkspace.get(workspace.id)));
  }
}

/** Requires a reason for a suspension and for its end. The audit log keeps it. */
function checkSuspension({ suspended, reason }: ChangeWorkspaceBody): void {
  if ((suspended === undefined) === (reason === undefined)) return;
  const field = suspended === undefined ? 'suspended' : 'reason';
  throw new ApiError('validation_error', { field, message: inputMessage(field, 'required') });
}

function workspaceRecord(workspace: Workspace, account: Account | undefined) {
  return {
    workspace_id: workspace.id,
    name: workspace.name,
    billing_country: workspace.billingCountry,
    balance: account?.balance ?? 0,
    purchased_credits: account?.purchased_credits ?? 0,
    settings: workspace.settings,
    created_at: workspace.createdAt.toISOString(),
    ...exceptionsOf(workspace),
  };
}

/** Returns the parts of a record that are shown only where they apply. */
function exceptionsOf(workspace: Workspace) {
  const { floors, origin, trialCreditsPending, suspension } = workspace;
  const warnings = warningsOf(workspace);
  return {
    ...(Object.keys(floors).length > 0 && { floors }),
    ...(origin === 'sign_up' && { origin }),
    ...(trialCreditsPending > 0 && { trial_credits_pending: trialCreditsPending }),
    ...(suspension !== null && { suspended: true as const }),
    ...(warnings.length > 0 && { warnings }),
  };
}
