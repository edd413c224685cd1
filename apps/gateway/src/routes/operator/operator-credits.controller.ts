import { Controller, Inject } from '@nestjs/common';
import {
  ApiError,
  type BillingCalls,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  inputMessage,
  type LedgerQuery,
  routes,
  type TopUpBody,
  unknownResource,
} from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Workspace } from '../../accounts/workspaces/workspace.js';
import { BILLING } from '../../calls/billing-calls.js';
import { LedgerHandler } from '../../billing/ledger.handler.js';
import { ExistingWorkspace } from '../../edge/pipes/existing-workspace.pipe.js';
import { Body, Claim, Id, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { InFlightKeys } from '../../calls/in-flight-keys.js';

@Controller()
export class OperatorCreditsController {
  constructor(
    @Inject(BILLING) private readonly billing: BillingCalls,
    @Inject(LedgerHandler) private readonly entries: LedgerHandler,
    private readonly inFlight: InFlightKeys,
  ) {}

  @Operation(routes.createTopUp)
  async topUp(
    @Id(ExistingWorkspace) { id }: Workspace,
    @Body() body: TopUpBody,
    @Claim() idempotency: IdempotencyClaim | null,
  ): Promise<Outcome> {
    checkAmount(body);
    const { credits, kind, note } = body;
    const request = { workspace_id: id, credits, kind, note, idempotency };
    const result = await this.inFlight.during(id, idempotency, () => this.billing.topUp(request));
    if (result.verdict !== 'done' && result.verdict !== 'replayed') throw refusal(result.verdict);
    const { verdict, entry, balance = entry.balance_after } = result;
    return {
      body: { entry_id: entry.id, kind: entry.top_up_kind, credits: entry.credits, balance },
      replayed: verdict === 'replayed',
      effect: { workspace_id: id, entry_id: entry.id, kind, credits, verdict },
    };
  }

  @Operation(routes.listWorkspaceLedgerEntries)
  async ledger(
    @Id(ExistingWorkspace) { id }: Workspace,
    @Query() query: LedgerQuery,
  ): Promise<Outcome> {
    return { body: await this.entries.page(id, query) };
  }
}

function checkAmount({ credits, kind }: TopUpBody): void {
  if (credits > 0 || (credits < 0 && kind === 'adjustment')) return;
  const message = inputMessage('credits', credits === 0 ? 'zero' : 'adjustmentOnly');
  throw new ApiError('validation_error', { field: 'credits', message });
}

function refusal(
  verdict: 'idempotency_conflict' | 'unknown_workspace' | 'balance_too_low' | 'balance_too_high',
): ApiError {
  if (verdict === 'idempotency_conflict') return new ApiError('idempotency_conflict');
  if (verdict === 'unknown_workspace') return unknownResource('credit_account');
  return new ApiError('conflict', {
    field: 'credits',
    message:
      verdict === 'balance_too_low' ? ERROR_MESSAGES.balanceTooLow : ERROR_MESSAGES.balanceTooHigh,
  });
}
