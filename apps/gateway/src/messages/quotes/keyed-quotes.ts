import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type BillingCalls,
  type IdempotencyClaim,
  type QuoteOffer,
  type WorkspaceId,
} from '@watchword/contracts';
import { isUnavailable } from '@watchword/platform';
import { BILLING } from '../../calls/billing-calls.js';
import { InFlightKeys } from '../../calls/in-flight-keys.js';
import { type Quoted, type Remarks, remarksOf } from './quoted.js';

/**
 * Quotes under an idempotency key. As with sends, a replay comes before every refusal: rules that
 * changed since the first answer cannot take it back.
 */
@Injectable()
export class KeyedQuotes {
  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'findQuote'>,
    private readonly inFlight: InFlightKeys,
  ) {}

  /** `replay` makes the answer of the quote that billing stored, with its remarks. */
  once(
    workspaceId: WorkspaceId,
    claim: IdempotencyClaim | null,
    ask: () => Promise<Quoted>,
    replay: (found: QuoteOffer, kept: Remarks) => Quoted | Promise<Quoted>,
  ): Promise<Quoted> {
    return this.inFlight.during(workspaceId, claim, async () => {
      try {
        return await ask();
      } catch (error) {
        if (claim === null || !(error instanceof ApiError)) throw error;
        const asked = { workspace_id: workspaceId, idempotency: claim };
        const found = await this.billing.findQuote(asked).catch((failure: unknown) => {
          // The refusal stands while billing is unavailable.
          throw isUnavailable(failure) ? error : failure;
        });
        if (found.verdict === 'idempotency_conflict') throw new ApiError('idempotency_conflict');
        if (found.verdict === 'new') throw error;
        const kept = remarksOf(found, null);
        if (kept === null) throw error;
        return replay(found, kept);
      }
    });
  }
}
