import type { BillingCalls } from '@watchword/contracts';
import type { ApiKey } from '../auth/api-key.js';
import type { Workspace } from '../workspaces/workspace.js';

type Account = NonNullable<Awaited<ReturnType<BillingCalls['getAccount']>>>;

export function workspaceAnswer(workspace: Workspace, account: Account | null | undefined) {
  return {
    workspace_id: workspace.id,
    name: workspace.name,
    billing_country: workspace.billingCountry,
    balance: account?.balance ?? 0,
    purchased_credits: account?.purchased_credits ?? 0,
    settings: workspace.settings,
    created_at: workspace.createdAt.toISOString(),
  };
}

export function keyAnswer(key: ApiKey) {
  return {
    key_id: key.id,
    name: key.name,
    mode: key.mode,
    permission: key.permission,
    prefix: key.prefix,
    last4: key.last4,
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

/** The only time that a key is shown. */
export function newKeyAnswer(key: ApiKey, token: string) {
  return {
    key_id: key.id,
    key: token,
    name: key.name,
    mode: key.mode,
    permission: key.permission,
    last4: key.last4,
    created_at: key.createdAt.toISOString(),
  };
}
