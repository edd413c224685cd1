import { Inject, Injectable } from '@nestjs/common';
import {
  type AcceptRequest,
  type AcceptResult,
  type Clock,
  type SendMessage,
} from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { PriceListCache } from '../prices/price-list.cache.js';
import { quoteIdOf } from '../quotes/quote.policy.js';
import { QuoteStore } from '../quotes/quote.store.js';
import { AcceptStore, type Verdict } from './accept.store.js';
import { type Acceptance, charged } from './acceptance.js';
import { prepare } from './prepare.policy.js';
import { logAccepted } from './log-accepted.js';

/**
 * Accepts sends: prices each, then charges, records and queues all of them in one transaction. The moment of acceptance
 * is read once per batch.
 */
@Injectable()
export class AcceptHandler {
  constructor(
    private readonly store: AcceptStore,
    @Inject(PriceListCache) private readonly prices: Pick<PriceListCache, 'current'>,
    @Inject(QuoteStore) private readonly quotes: Pick<QuoteStore, 'findMany'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async acceptBatch(requests: readonly AcceptRequest[]): Promise<AcceptResult[]> {
    const quoteIds = requests.map(({ quote_id: quoteId }) => quoteIdOf(quoteId));
    const quotes = await this.quotes.findMany(quoteIds.filter((id) => id !== null));
    const acceptedAt = new Date(this.clock.now()).toISOString();
    const terms = { prices: await this.prices.current(), quotes, acceptedAt };
    const batch = requests.map((request) => prepare(request, terms));
    const verdicts = await this.store.accept(batch, acceptedAt);
    const committedAt = this.clock.now();
    batch.forEach((item, index) =>
      logAccepted(this.logger, item, verdicts[index]!, acceptedAt, committedAt),
    );
    return batch.map((item, index) => toResult(item, verdicts[index]!));
  }
}

function toResult(
  { send }: Acceptance,
  { verdict, balance, credits, budgetLeft, replayedCommand, retryAfterSeconds }: Verdict,
): AcceptResult {
  switch (verdict) {
    case 'accepted':
      return { verdict, command: charged(send, credits) };
    case 'replayed':
      return { verdict, command: JSON.parse(replayedCommand!) as SendMessage };
    case 'insufficient_credits':
      return { verdict, balance: balance!, required: credits };
    case 'daily_budget':
      return { verdict, left: budgetLeft!, required: credits };
    case 'limited':
      return { verdict, retry_after_seconds: retryAfterSeconds! };
    default:
      return { verdict };
  }
}
