import { Inject, Injectable } from '@nestjs/common';
import {
  type BillingCalls,
  type KeyMode,
  newId,
  type OperatorSettingsPatch,
  type TopUpKind,
  type WorkspaceId,
} from '@watchword/contracts';
import { checkCountry } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { BILLING } from '../../calls/billing-calls.js';
import { ApiKeyStore, type NewApiKey } from '../keys/api-key.store.js';
import { describeToken, type IssuedToken, issueToken } from '../keys/api-token.js';
import { checkOtpText } from '../settings/otp-text-settings.policy.js';
import { changeSettings } from '../settings/setting-roles.policy.js';
import { checkSettings } from '../settings/workspace-settings.policy.js';
import type { Workspace, WorkspaceOrigin } from './workspace.js';
import { WorkspaceStore } from './workspace.store.js';

export const BILLING_COUNTRY_DEFAULT = 'NG';

export interface WorkspaceRequest {
  name: string;
  billingCountry: string;
  credits: number;
  creditsKind: Extract<TopUpKind, 'bonus' | 'trial'>;
  /** Entered when an operator confirms the workspace. */
  trialCreditsPending?: number;
  origin: WorkspaceOrigin;
  settings: OperatorSettingsPatch;
}

/** Drawn by the caller, so that it can repeat the request for the same workspace. */
export interface WorkspaceIdentity {
  id: WorkspaceId;
  liveKey: string;
  testKey: string;
}

export interface CreatedWorkspace {
  workspace: Workspace;
  balance: number;
}

/**
 * Creates a workspace with a wallet, the wallet first. A failure in between leaves a wallet without
 * a workspace, never a workspace that cannot pay.
 */
@Injectable()
export class CreateWorkspaceHandler {
  constructor(
    @Inject(BILLING)
    private readonly billing: Pick<BillingCalls, 'openAccount' | 'setLowBalanceThreshold'>,
    private readonly workspaces: WorkspaceStore,
    private readonly keys: ApiKeyStore,
  ) {}

  /** `alongside` joins the transaction that makes the workspace. */
  async create(
    request: WorkspaceRequest,
    alongside: (transaction: Queryable, workspaceId: WorkspaceId) => Promise<void>,
    id: WorkspaceId = newId(),
  ): Promise<CreatedWorkspace> {
    const { name, billingCountry, credits, creditsKind } = request;
    checkCountry(billingCountry, 'billing_country');
    checkSettings(request.settings);
    const stored = changeSettings({ chosen: {}, floors: {} }, request.settings, 'operator');
    const { chosen: settings } = stored;
    checkOtpText({ name, settings }, { name, settings });
    const opening = { workspace_id: id, credits, kind: creditsKind };
    const { balance } = await this.billing.openAccount(opening);
    const { low_balance_threshold: threshold = null } = settings;
    if (threshold !== null) {
      await this.billing.setLowBalanceThreshold({ workspace_id: id, threshold });
    }
    const { origin, trialCreditsPending = 0 } = request;
    const row = { id, name, billingCountry, settings: stored, origin, trialCreditsPending };
    const workspace = await this.workspaces.insert(row, (transaction) =>
      alongside(transaction, id),
    );
    return { workspace, balance };
  }

  /** Creates the workspace with a key for each mode. */
  async createWithKeys(
    request: WorkspaceRequest,
    identity?: WorkspaceIdentity,
  ): Promise<CreatedWorkspace & { liveKey: string; testKey: string }> {
    const live = identity ? describeToken(identity.liveKey) : issueToken('live');
    const test = identity ? describeToken(identity.testKey) : issueToken('test');
    const insertKeys = async (transaction: Queryable, id: WorkspaceId) => {
      await this.keys.insert(firstKey(id, 'live', live), transaction);
      await this.keys.insert(firstKey(id, 'test', test), transaction);
    };
    const created = await this.create(request, insertKeys, identity?.id);
    return { ...created, liveKey: live.token, testKey: test.token };
  }
}

function firstKey(workspaceId: WorkspaceId, mode: KeyMode, issued: IssuedToken): NewApiKey {
  return { workspaceId, issued, mode, permission: 'full', name: `First ${mode} key` };
}
