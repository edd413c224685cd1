import {
  type BillingCalls,
  type KeyMode,
  newId,
  type WorkspaceSettingsPatch,
} from '@watchword/contracts';
import type { ApiKeyStore, NewApiKey } from '../auth/api-key.store.js';
import { describeToken, type IssuedToken, issueToken } from '../auth/api-token.js';
import type { Workspace } from './workspace.js';
import type { WorkspaceStore } from './workspace.store.js';

export interface WorkspaceWish {
  name: string;
  billingCountry: string;
  credits: number;
  settings: WorkspaceSettingsPatch;
  /** Drawn before, by whoever must be able to ask for the same workspace again. */
  identity?: { id: string; liveKey: string; testKey: string };
}

export interface CreatedWorkspace {
  workspace: Workspace;
  balance: number;
  liveKey: string;
  testKey: string;
}

/**
 * A workspace with a wallet and a key for each mode. The wallet comes first: a failure in between
 * leaves a wallet that nobody can reach, never a workspace that cannot pay.
 */
export class CreateWorkspaceHandler {
  constructor(
    private readonly billing: Pick<BillingCalls, 'openAccount'>,
    private readonly workspaces: WorkspaceStore,
    private readonly keys: ApiKeyStore,
  ) {}

  async create(wish: WorkspaceWish): Promise<CreatedWorkspace> {
    const { name, billingCountry, credits, settings, identity } = wish;
    const id = identity?.id ?? newId();
    const live = identity ? describeToken(identity.liveKey) : issueToken('live');
    const test = identity ? describeToken(identity.testKey) : issueToken('test');
    const account = await this.billing.openAccount({ workspace_id: id, credits, kind: 'bonus' });
    const row = { id, name, billingCountry, settings };
    const workspace = await this.workspaces.insert(row, async (transaction) => {
      await this.keys.insert(firstKey(id, 'live', live), transaction);
      await this.keys.insert(firstKey(id, 'test', test), transaction);
    });
    return { workspace, balance: account.balance, liveKey: live.token, testKey: test.token };
  }
}

function firstKey(workspaceId: string, mode: KeyMode, issued: IssuedToken): NewApiKey {
  return { workspaceId, issued, mode, permission: 'full', name: `First ${mode} key` };
}
