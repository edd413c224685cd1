import { type BillingCalls, isUuid } from '@watchword/contracts';
import type { AccountRow, AccountStore } from './account.store.js';
import type { TopUpHandler } from './top-up.handler.js';

type Account = Awaited<ReturnType<BillingCalls['openAccount']>>;

export class AccountsRpc {
  constructor(
    private readonly accounts: AccountStore,
    private readonly topUps: TopUpHandler,
  ) {}

  openAccount: BillingCalls['openAccount'] = async ({ workspace_id: workspaceId, credits, kind }) =>
    toAccount(await this.topUps.openAccount(workspaceId, credits, kind));

  grantTrial: BillingCalls['grantTrial'] = async ({ workspace_id: workspaceId, credits }) => {
    const account = isUuid(workspaceId) && (await this.topUps.grantTrial(workspaceId, credits));
    return account ? toAccount(account) : null;
  };

  getAccount: BillingCalls['getAccount'] = async ({ workspace_id: workspaceId }) => {
    const [account] = await this.find([workspaceId]);
    return account ?? null;
  };

  getAccounts: BillingCalls['getAccounts'] = async ({ workspace_ids: workspaceIds }) => ({
    accounts: await this.find(workspaceIds),
  });

  setLowBalanceThreshold: BillingCalls['setLowBalanceThreshold'] = async (request) => {
    const { workspace_id: workspaceId, threshold } = request;
    if (isUuid(workspaceId)) await this.accounts.setLowBalanceThreshold(workspaceId, threshold);
    return {};
  };

  topUp: BillingCalls['topUp'] = async (request) =>
    isUuid(request.workspace_id) ? this.topUps.topUp(request) : { verdict: 'unknown_workspace' };

  private async find(workspaceIds: readonly string[]): Promise<Account[]> {
    return (await this.accounts.find(workspaceIds.filter(isUuid))).map(toAccount);
  }
}

function toAccount({ workspaceId, balance, purchasedCredits, updatedAt }: AccountRow): Account {
  return {
    workspace_id: workspaceId,
    balance,
    purchased_credits: purchasedCredits,
    updated_at: updatedAt.toISOString(),
  };
}
