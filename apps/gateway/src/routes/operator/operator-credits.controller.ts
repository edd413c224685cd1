import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import {
  ApiError,
  type BillingCalls,
  ERROR_MESSAGES,
  LedgerQuery,
  TopUpBody,
} from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileBody, compileQuery } from '../../edge/pipes/validation.policy.js';
import { readClaim } from '../../edge/request/idempotency-claim.js';
import { LedgerHandler } from '../../billing/ledger.handler.js';
import { BILLING } from '../../billing/billing-calls.js';
import { existingWorkspace } from '../../accounts/workspaces/workspace-lookup.js';
import { WorkspaceStore } from '../../accounts/workspaces/workspace.store.js';
import { OperatorEdge } from '../../edge/interceptors/operator-edge.js';

const readTopUpBody = compileBody(TopUpBody);
const readLedgerQuery = compileQuery(LedgerQuery);

type IdParams = { id: string };

@Controller('operator/v1/workspaces/:id')
export class OperatorCreditsController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore,
    @Inject(BILLING) private readonly billing: BillingCalls,
    @Inject(LedgerHandler) private readonly entries: LedgerHandler,
  ) {}

  @Post('top-ups')
  topUp(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 201, async () => {
      const body = readTopUpBody(request.body);
      checkAmount(body);
      const { id } = await existingWorkspace(this.workspaces, (request.params as IdParams).id);
      const scope = `operator POST /operator/v1/workspaces/${id}/top-ups`;
      const idempotency = readClaim(request.headers['idempotency-key'], scope, body);
      const { credits, kind, note } = body;
      const result = await this.billing.topUp({
        workspace_id: id,
        credits,
        kind,
        note,
        idempotency,
      });
      if (result.verdict !== 'done' && result.verdict !== 'replayed') throw refusal(result.verdict);
      if (result.verdict === 'replayed') reply.header('idempotent-replayed', 'true');
      const { entry } = result;
      return {
        body: {
          entry_id: entry.id,
          kind: entry.top_up_kind,
          credits: entry.credits,
          balance: entry.balance_after,
        },
        effect: { workspace_id: id, entry_id: entry.id, kind, credits, verdict: result.verdict },
      };
    });
  }

  @Get('ledger')
  ledger(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const query = readLedgerQuery(request.query);
      const { id } = await existingWorkspace(this.workspaces, (request.params as IdParams).id);
      return { body: await this.entries.page(id, query) };
    });
  }
}

function checkAmount({ credits, kind }: TopUpBody): void {
  if (credits > 0 || (credits < 0 && kind === 'adjustment')) return;
  const message =
    credits === 0 ? 'credits must not be zero.' : 'credits may be negative for an adjustment only.';
  throw new ApiError('validation_error', { field: 'credits', message });
}

function refusal(
  verdict: 'idempotency_conflict' | 'unknown_workspace' | 'balance_too_low',
): ApiError {
  if (verdict === 'idempotency_conflict') return new ApiError('idempotency_conflict');
  if (verdict === 'unknown_workspace') return new ApiError('not_found');
  return new ApiError('conflict', {
    field: 'credits',
    message: ERROR_MESSAGES.balanceTooLow,
  });
}
