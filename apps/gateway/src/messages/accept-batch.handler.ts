import { Inject, Injectable } from '@nestjs/common';
import {
  type AcceptBatchResult,
  ApiError,
  type BatchItem,
  type BatchOutcome,
  type BillingCalls,
  type IdempotencyClaim,
  type Language,
  type WorkspaceId,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { BILLING } from '../calls/billing-calls.js';
import { SendAdmission } from '../limits/send-admission.js';
import { itemError } from './batch-answer.policy.js';
import type { PreparedSend } from './accept-send.handler.js';
import { InFlightKeys } from '../calls/in-flight-keys.js';

/** An item that passed a step, or its refusal. */
export type Step<Value> = Value | ApiError;

export interface BatchOptions {
  readonly claim: IdempotencyClaim | null;
  /** Language of the items' errors. */
  readonly language: Language;
}

export interface BatchAcceptance {
  readonly outcomes: readonly BatchOutcome[];
  readonly replayed: boolean;
}

/**
 * The last steps of every batch: items that passed their rules are accepted in one transaction, in
 * order. One idempotency key replays the whole answer, errors included.
 */
@Injectable()
export class AcceptSendBatchHandler {
  constructor(
    @Inject(BILLING)
    private readonly billing: Pick<BillingCalls, 'acceptBatch' | 'findBatchReplay'>,
    private readonly inFlight: InFlightKeys,
    private readonly admission: SendAdmission,
  ) {}

  accept(
    workspaceId: WorkspaceId,
    { claim, language }: BatchOptions,
    prepare: () => Promise<readonly Step<PreparedSend>[]>,
  ): Promise<BatchAcceptance> {
    return this.inFlight.during(workspaceId, claim, () =>
      this.admission.during(workspaceId, async () => {
        const replay = claim === null ? null : await this.replayOf(workspaceId, claim);
        if (replay !== null) return { outcomes: replay, replayed: true };
        const prepared = await prepare();
        const items = prepared.map((one): BatchItem =>
          one instanceof ApiError
            ? { error: JSON.stringify(itemError(one, language)) }
            : { send: one.send, windows: one.windows },
        );
        const result = await this.charge(workspaceId, items, claim);
        return { outcomes: result.outcomes, replayed: result.verdict === 'replayed' };
      }),
    );
  }

  private async replayOf(
    workspaceId: WorkspaceId,
    claim: IdempotencyClaim,
  ): Promise<readonly BatchOutcome[] | null> {
    const { billing } = this;
    const found = await billing.findBatchReplay({ workspace_id: workspaceId, idempotency: claim });
    if (found.verdict === 'idempotency_conflict') throw new ApiError('idempotency_conflict');
    return found.verdict === 'replayed' ? found.outcomes : null;
  }

  private async charge(
    workspaceId: WorkspaceId,
    items: BatchItem[],
    claim: IdempotencyClaim | null,
  ): Promise<Extract<AcceptBatchResult, { outcomes: unknown }>> {
    const asked = { workspace_id: workspaceId, items, idempotency: claim };
    crashPoint('gateway.accept-batch.before-call');
    const result = await this.billing.acceptBatch(asked);
    crashPoint('gateway.accept-batch.after-call');
    if (result.verdict === 'idempotency_conflict') throw new ApiError('idempotency_conflict');
    if (result.verdict === 'unknown_workspace') {
      throw new Error('billing does not know the workspace');
    }
    return result;
  }
}

/** Returns the refusal that a step throws as a value. */
export function orRefusal<Value>(step: () => Value): Step<Value> {
  try {
    return step();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
