import { Inject, Injectable } from '@nestjs/common';
import {
  type AcceptResult,
  ApiError,
  type BillingCalls,
  type IdempotencyClaim,
  type KeyBudget,
  MESSAGE_KINDS,
  type SendMessage,
  type SendRequest,
  type SendWindow,
  type WorkspaceId,
} from '@watchword/contracts';
import { counter, crashPoint } from '@watchword/observability';
import { BILLING } from '../calls/billing-calls.js';
import { SendAdmission } from '../limits/send-admission.js';
import { spentQuote } from './quotes/quote.policy.js';
import { overBudget } from './budget.policy.js';
import { InFlightKeys } from '../calls/in-flight-keys.js';
import { type SendWords, VARIANT_A_WORDS } from '../inputs/send-words.policy.js';

const countSend = counter('watchword_sends_total', 'Sends that were accepted.', {
  kind: [...MESSAGE_KINDS],
  mode: ['live', 'test'],
  result: ['accepted', 'replayed'],
});

/** A send that passed every check of its request, and the windows that it counts in. */
export interface PreparedSend {
  send: SendRequest;
  /** The quote with the price to charge. */
  quoteId?: string;
  windows: SendWindow[];
  /** Daily budget of an agent key that has one. */
  budget?: KeyBudget | undefined;
  /** Names of variant A by default. */
  words?: SendWords;
}

export interface AcceptedSend {
  command: SendMessage;
  replayed: boolean;
}

/**
 * The last step of every send: billing counts, charges and queues it in one transaction. A replay of
 * an Idempotency-Key comes before every refusal: the client got an answer once, and rules that
 * changed since then cannot take it back.
 */
@Injectable()
export class AcceptSendHandler {
  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'accept' | 'findReplay'>,
    private readonly inFlight: InFlightKeys,
    private readonly admission: SendAdmission,
  ) {}

  accept(
    workspaceId: WorkspaceId,
    claim: IdempotencyClaim | null,
    prepare: () => PreparedSend | Promise<PreparedSend>,
  ): Promise<AcceptedSend> {
    return this.inFlight.during(workspaceId, claim, () =>
      this.admission.during(workspaceId, async (answered) => {
        let prepared: PreparedSend;
        try {
          prepared = await prepare();
        } catch (error) {
          return this.replayInsteadOf(error, workspaceId, claim);
        }
        return this.charge(prepared, claim, answered);
      }),
    );
  }

  private async charge(
    { send, quoteId, budget, windows, words = VARIANT_A_WORDS }: PreparedSend,
    claim: IdempotencyClaim | null,
    answered: () => void,
  ): Promise<AcceptedSend> {
    crashPoint('gateway.accept.before-call');
    const result = await this.billing.accept({
      send,
      idempotency: claim,
      quote_id: quoteId,
      budget,
      windows,
    });
    crashPoint('gateway.accept.after-call');
    answered();
    noteSend(send, result.verdict);
    if ('command' in result) {
      return { command: result.command, replayed: result.verdict === 'replayed' };
    }
    throw refusalOf(result, words);
  }

  private async replayInsteadOf(
    error: unknown,
    workspaceId: WorkspaceId,
    claim: IdempotencyClaim | null,
  ): Promise<AcceptedSend> {
    if (claim === null || !(error instanceof ApiError)) throw error;
    const found = await this.billing.findReplay({ workspace_id: workspaceId, idempotency: claim });
    if (found.verdict === 'replayed') return { command: found.command, replayed: true };
    if (found.verdict === 'idempotency_conflict') throw new ApiError('idempotency_conflict');
    throw error;
  }
}

function noteSend({ kind, test_mode: testMode }: SendRequest, result: string): void {
  if (result !== 'accepted' && result !== 'replayed') return;
  countSend({ kind, mode: testMode ? 'test' : 'live', result });
}

type Refusal = Exclude<AcceptResult, { command: unknown }>;

function refusalOf(refused: Refusal, { unpaid, limited }: SendWords): Error {
  if (refused.verdict === 'limited') {
    return new ApiError(limited, { retryAfterSeconds: refused.retry_after_seconds });
  }
  const { verdict } = refused;
  if (verdict === 'insufficient_credits') return new ApiError(unpaid);
  if (verdict === 'unknown_workspace') return new Error('billing does not know the workspace');
  if (verdict === 'invalid_quote') return spentQuote();
  if (verdict === 'daily_budget') return overBudget();
  return new ApiError(verdict);
}
