import { Controller } from '@nestjs/common';
import {
  ApiError,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  inputMessage,
  type Outcome,
  routes,
  type TopUpBody,
  unknownResource,
} from '@watchword/contracts';
import { Body, Caller, Claim, Operation, type WorkspaceCaller } from '@watchword/platform';
import { AccountStore } from './account.store.js';
import { TopUpHandler, type TopUpResult } from './top-up.handler.js';

/** The balance of a workspace, and credits that operators enter. */
@Controller()
export class CreditsController {
  constructor(
    private readonly accounts: AccountStore,
    private readonly topUps: TopUpHandler,
  ) {}

  /** One wallet for both modes. */
  @Operation(routes.getBalance)
  async balance(@Caller() { workspace_id: workspaceId }: WorkspaceCaller): Promise<Outcome> {
    const [account] = await this.accounts.find([workspaceId]);
    if (!account) throw unknownResource('credit_account');
    const { balance, updatedAt } = account;
    return {
      body: { workspace_id: workspaceId, balance, updated_at: updatedAt.toISOString() },
    };
  }

  @Operation(routes.createTopUp)
  async topUp(
    @Caller() { workspace_id }: WorkspaceCaller,
    @Body() body: TopUpBody,
    @Claim() idempotency: IdempotencyClaim | null,
  ): Promise<Outcome> {
    checkAmount(body);
    const { credits, kind, note } = body;
    const result = await this.topUps.topUp({ workspace_id, credits, kind, note, idempotency });
    if (result.verdict !== 'done' && result.verdict !== 'replayed') throw refusal(result.verdict);
    const { verdict, entry, balance = entry.balance_after } = result;
    return {
      body: { entry_id: entry.id, kind: entry.top_up_kind, credits: entry.credits, balance },
      replayed: verdict === 'replayed',
      effect: { workspace_id, entry_id: entry.id, kind, credits, verdict },
    };
  }
}

function checkAmount({ credits, kind }: TopUpBody): void {
  if (credits > 0 || (credits < 0 && kind === 'adjustment')) return;
  const message = inputMessage('credits', credits === 0 ? 'zero' : 'adjustmentOnly');
  throw new ApiError('validation_error', { field: 'credits', message });
}

function refusal(verdict: Exclude<TopUpResult['verdict'], 'done' | 'replayed'>): ApiError {
  if (verdict === 'idempotency_conflict') return new ApiError('idempotency_conflict');
  if (verdict === 'unknown_workspace') return unknownResource('credit_account');
  const { balanceTooLow, balanceTooHigh } = ERROR_MESSAGES;
  const message = verdict === 'balance_too_low' ? balanceTooLow : balanceTooHigh;
  return new ApiError('conflict', { field: 'credits', message });
}
