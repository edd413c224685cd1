import { Controller } from '@nestjs/common';
import {
  type AnswerOf,
  type BillingCalls,
  billingCalls,
  isUuid,
  type RequestOf,
  type WorkspaceId,
} from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { type AccountRow, AccountStore } from './account.store.js';
import { TopUpHandler } from './top-up.handler.js';

type Account = Awaited<ReturnType<BillingCalls['openAccount']>>;

@Controller()
export class AccountsRpc {
  constructor(
    private readonly accounts: AccountStore,
    private readonly topUps: TopUpHandler,
  ) {}

  @CallPattern(billingCalls, 'openAccount')
  async openAccount({
    workspace_id: workspaceId,
    credits,
    kind,
  }: RequestOf<'openAccount'>): AnswerOf<'openAccount'> {
    return toAccount(await this.topUps.openAccount(workspaceId, credits, kind));
  }

  @CallPattern(billingCalls, 'grantTrial')
  async grantTrial({
    workspace_id: workspaceId,
    credits,
  }: RequestOf<'grantTrial'>): AnswerOf<'grantTrial'> {
    const account = isUuid(workspaceId) && (await this.topUps.grantTrial(workspaceId, credits));
    return account ? toAccount(account) : null;
  }

  @CallPattern(billingCalls, 'getAccount')
  async getAccount({ workspace_id: workspaceId }: RequestOf<'getAccount'>): AnswerOf<'getAccount'> {
    const [account] = await this.find([workspaceId]);
    return account ?? null;
  }

  @CallPattern(billingCalls, 'getAccounts')
  async getAccounts({
    workspace_ids: workspaceIds,
  }: RequestOf<'getAccounts'>): AnswerOf<'getAccounts'> {
    return {
      accounts: await this.find(workspaceIds),
    };
  }

  @CallPattern(billingCalls, 'setLowBalanceThreshold')
  async setLowBalanceThreshold(
    request: RequestOf<'setLowBalanceThreshold'>,
  ): AnswerOf<'setLowBalanceThreshold'> {
    const { workspace_id: workspaceId, threshold } = request;
    if (isUuid(workspaceId)) await this.accounts.setLowBalanceThreshold(workspaceId, threshold);
    return {};
  }

  @CallPattern(billingCalls, 'setSuspended')
  async setSuspended(request: RequestOf<'setSuspended'>): AnswerOf<'setSuspended'> {
    await this.accounts.setSuspended(request.workspace_id, request.suspended);
    return {};
  }

  private async find(workspaceIds: readonly WorkspaceId[]): Promise<Account[]> {
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
