import { type BillingCalls, newId, type WorkspaceSettingsPatch } from '@watchword/contracts';
import type { ApiKeyStore } from '../auth/api-key.store.js';
import { describeToken, type IssuedToken, issueToken } from '../auth/api-token.js';
import type { Workspace, WorkspaceStore } from './workspace.store.js';

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
 * A workspace with a wallet and a key for each mode. The wallet comes first: a failure in between leaves a
 * wallet that nobody can reach, never a workspace that cannot pay.
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
      const keyOf = (issued: IssuedToken, mode: 'live' | 'test') =>
        ({ workspaceId: id, issued, mode, permission: 'full', name: `First ${mode} key` }) as const;
      await this.keys.insert(keyOf(live, 'live'), transaction);
      await this.keys.insert(keyOf(test, 'test'), transaction);
    });
    return { workspace, balance: account.balance, liveKey: live.token, testKey: test.token };
  }
}
