import {
  type BillingCalls,
  type Clock,
  IDEMPOTENCY_KEY_MS,
  type IdempotencyClaim,
  newId,
  type QuoteRequest,
  type QuoteResult,
} from '@watchword/contracts';
import type { AccountStore } from '../accounts/account.store.js';
import type { PriceListCache } from '../prices/price-list.cache.js';
import { priceOf } from '../prices/price-list.policy.js';
import type { KeyedQuote, Quote } from './quote.js';
import { QUOTE_LIFE_MS } from './quote.policy.js';
import type { QuoteStore } from './quote.store.js';

type Quoted = Extract<QuoteResult, { verdict: 'quoted' }>;

/** What a send would cost; charges and reserves nothing. */
export class QuotesRpc {
  constructor(
    private readonly quotes: QuoteStore,
    private readonly accounts: Pick<AccountStore, 'find'>,
    private readonly prices: Pick<PriceListCache, 'current'>,
    private readonly clock: Clock,
  ) {}

  quote: BillingCalls['quote'] = async (request) => {
    const { idempotency: claim, workspace_id: workspaceId } = request;
    if (!claim) {
      const { quote, result } = await this.price(request);
      await this.quotes.insert(quote);
      return result;
    }
    const known = await this.known(workspaceId, claim);
    if (known) return replayOf(known, claim);
    const { quote, result } = await this.price(request);
    if (await this.quotes.insertKeyed(quote, claim, JSON.stringify(result))) return result;
    const winner = await this.quotes.findKeyed(workspaceId, claim);
    if (!winner) throw new Error('a quote that had the key is gone');
    return replayOf(winner, claim);
  };

  private async price(request: QuoteRequest): Promise<{ quote: Quote; result: Quoted }> {
    const { current } = this.prices;
    const perSegment = priceOf({ ...request, segments: 1 }, current);
    const [account] = await this.accounts.find([request.workspace_id]);
    const quote = {
      id: newId(),
      workspaceId: request.workspace_id,
      testMode: request.test_mode,
      kind: request.kind,
      destination: request.destination,
      creditsPerSegment: perSegment.credits,
      priceRule: perSegment.rule,
      expiresAt: new Date(this.clock.now() + QUOTE_LIFE_MS),
    };
    const result: Quoted = {
      verdict: 'quoted',
      replayed: false,
      quote_id: quote.id,
      expires_at: quote.expiresAt.toISOString(),
      credits: quote.creditsPerSegment * request.segments,
      credit_price: current.list.credit_price,
      balance: account?.balance ?? null,
      ...(request.remarks === undefined ? {} : { remarks: request.remarks }),
    };
    return { quote, result };
  }

  /** The quote that has the key, while the key counts. */
  private async known(
    workspaceId: string,
    claim: IdempotencyClaim,
  ): Promise<KeyedQuote | undefined> {
    const found = await this.quotes.findKeyed(workspaceId, claim);
    if (!found) return undefined;
    const madeAt = found.expiresAt.getTime() - QUOTE_LIFE_MS;
    if (this.clock.now() - madeAt < IDEMPOTENCY_KEY_MS) return found;
    await this.quotes.releaseKey(found.id);
    return undefined;
  }
}

function replayOf(known: KeyedQuote, claim: IdempotencyClaim): QuoteResult {
  if (known.fingerprint !== claim.fingerprint) return { verdict: 'idempotency_conflict' };
  return { ...(JSON.parse(known.answer) as Quoted), replayed: true };
}
