import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  billingCalls,
  type Clock,
  IDEMPOTENCY_KEY_MS,
  type IdempotencyClaim,
  newId,
  type PriceListVersion,
  type QuoteRequest,
  type QuoteOffer,
  type RequestOf,
  type WorkspaceId,
} from '@watchword/contracts';
import { CallPattern, CLOCK } from '@watchword/platform';
import { AccountStore } from '../accounts/account.store.js';
import { PriceListCache } from '../prices/price-list.cache.js';
import { grantUnitOf, LEFT } from '../plans/grant-unit.policy.js';
import { firstDayOf, monthOf } from '../plans/month.js';
import { PlanStore } from '../plans/plan.store.js';
import { priceOf } from '../prices/price-list.policy.js';
import type { KeyedQuote, Quote } from './quote.js';
import { QUOTE_LIFE_MS, quotedPrice, quoteIdOf } from './quote.policy.js';
import { QuoteStore } from './quote.store.js';

interface Answered {
  readonly quote: Quote;
  readonly result: QuoteOffer;
}

/** Prices of sends. Nothing is charged or reserved. */
@Controller()
export class QuotesRpc {
  constructor(
    private readonly quotes: QuoteStore,
    private readonly accounts: AccountStore,
    private readonly plans: PlanStore,
    private readonly prices: PriceListCache,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @CallPattern(billingCalls, 'quote')
  async quote(request: RequestOf<'quote'>): AnswerOf<'quote'> {
    const { idempotency: claim, workspace_id: workspaceId, quote_id: named } = request;
    const known = claim && (await this.known(workspaceId, claim));
    if (known) return replayOf(known, claim);
    const priced = await (named === undefined
      ? this.price(request)
      : this.priceByQuote(request, named));
    if (priced === null) return { verdict: 'invalid_quote' };
    const { quote, result } = priced;
    if (!claim) {
      if (named === undefined) await this.quotes.insert(quote);
      return result;
    }
    if (await this.quotes.insertKeyed(quote, claim, JSON.stringify(result))) return result;
    const winner = await this.quotes.findKeyed(workspaceId, claim);
    if (!winner) throw new Error('a quote that had the key is gone');
    return replayOf(winner, claim);
  }

  @CallPattern(billingCalls, 'findQuote')
  async findQuote({
    workspace_id: workspaceId,
    idempotency: claim,
  }: RequestOf<'findQuote'>): AnswerOf<'findQuote'> {
    const known = await this.known(workspaceId, claim);
    return known ? replayOf(known, claim) : { verdict: 'new' };
  }

  /**
   * Prices a send with a quote that exists. It stays as it is, so its price ends when it does. The
   * row for a key is another one, whose id no caller gets.
   */
  private async priceByQuote(request: QuoteRequest, named: string): Promise<Answered | null> {
    const id = quoteIdOf(named);
    const quote = id === null ? undefined : await this.quotes.findUsable(id, this.clock.now());
    if (!quote || !quotedPrice(request, quote)) return null;
    const result = await this.resultOf(request, quote, await this.prices.current());
    const expiresAt = new Date(this.clock.now() + QUOTE_LIFE_MS);
    return { quote: { ...quote, id: newId(), expiresAt }, result };
  }

  private async price(request: QuoteRequest): Promise<Answered> {
    const current = await this.prices.current();
    const perSegment = priceOf({ ...request, segments: 1 }, current);
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
    return { quote, result: await this.resultOf(request, quote, current) };
  }

  private async resultOf(
    request: QuoteRequest,
    quote: Quote,
    { list }: PriceListVersion,
  ): Promise<QuoteOffer> {
    const [account] = await this.accounts.find([request.workspace_id]);
    const covered = await this.coveredSegments(request);
    return {
      verdict: 'quoted',
      replayed: false,
      quote_id: quote.id,
      expires_at: quote.expiresAt.toISOString(),
      credits: quote.creditsPerSegment * request.segments,
      ...(covered > 0 && { due: quote.creditsPerSegment * (request.segments - covered) }),
      credit_price: list.credit_price,
      balance: account?.balance ?? null,
      ...(request.remarks === undefined ? {} : { remarks: request.remarks }),
    };
  }

  /** Returns the segments that this month's grant covers now. Nothing is reserved. */
  private async coveredSegments(request: QuoteRequest): Promise<number> {
    const unit = grantUnitOf(request);
    if (unit === null) return 0;
    const month = firstDayOf(monthOf(this.clock.now()));
    const plan = await this.plans.find(request.workspace_id, month);
    return Math.min(request.segments, plan?.[LEFT[unit]] ?? 0);
  }

  /** Returns the quote of the key, while the key is valid. */
  private async known(
    workspaceId: WorkspaceId,
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

function replayOf(
  known: KeyedQuote,
  claim: IdempotencyClaim,
): QuoteOffer | { verdict: 'idempotency_conflict' } {
  if (known.fingerprint !== claim.fingerprint) return { verdict: 'idempotency_conflict' };
  return { ...(JSON.parse(known.answer) as QuoteOffer), replayed: true };
}
