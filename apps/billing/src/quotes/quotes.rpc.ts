import { type BillingCalls, type Clock, newId } from '@watchword/contracts';
import type { AccountStore } from '../accounts/account.store.js';
import type { PriceListCache } from '../prices/price-list.cache.js';
import { priceOf } from '../prices/price-list.policy.js';
import { QUOTE_LIFE_MS } from './quote.policy.js';
import type { QuoteStore } from './quote.store.js';

/** What a send would cost; charges and reserves nothing. */
export class QuotesRpc {
  constructor(
    private readonly quotes: QuoteStore,
    private readonly accounts: Pick<AccountStore, 'find'>,
    private readonly prices: Pick<PriceListCache, 'current'>,
    private readonly clock: Clock,
  ) {}

  quote: BillingCalls['quote'] = async (send) => {
    const { current } = this.prices;
    const perSegment = priceOf({ ...send, segments: 1 }, current);
    const quote = {
      id: newId(),
      workspaceId: send.workspace_id,
      testMode: send.test_mode,
      kind: send.kind,
      destination: send.destination,
      creditsPerSegment: perSegment.credits,
      priceRule: perSegment.rule,
      expiresAt: new Date(this.clock.now() + QUOTE_LIFE_MS),
    };
    const [[account]] = await Promise.all([
      this.accounts.find([send.workspace_id]),
      this.quotes.insert(quote),
    ]);
    return {
      quote_id: quote.id,
      expires_at: quote.expiresAt.toISOString(),
      credits: quote.creditsPerSegment * send.segments,
      credit_price: current.list.credit_price,
      balance: account?.balance ?? null,
    };
  };
}
