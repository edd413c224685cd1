import {
  type AcceptRequest,
  type AcceptResult,
  type Clock,
  newId,
  type SendMessage,
} from '@watchword/contracts';
import { traceStep, traceSteps } from '@watchword/observability';
import type { PriceListCache } from '../prices/price-list.cache.js';
import { priceOf } from '../prices/price-list.policy.js';
import { NO_QUOTE, quotedPrice, quoteIdOf } from '../quotes/quote.policy.js';
import type { Quote } from '../quotes/quote.js';
import type { QuoteStore } from '../quotes/quote.store.js';
import type { Acceptance, AcceptStore, Verdict } from './accept.store.js';
import { commandText } from './command.js';

/**
 * Accepting sends: price each, then charge, record and queue all of them in one transaction. The
 * moment of acceptance is read once per batch and stands in every command, entry and key of it.
 */
export class AcceptHandler {
  constructor(
    private readonly store: AcceptStore,
    private readonly prices: Pick<PriceListCache, 'current'>,
    private readonly quotes: Pick<QuoteStore, 'findMany'>,
    private readonly clock: Clock,
  ) {}

  async acceptBatch(requests: readonly AcceptRequest[]): Promise<AcceptResult[]> {
    const quoteIds = requests.map(({ quote_id: quoteId }) => quoteIdOf(quoteId));
    const quotes = await this.quotes.findMany(quoteIds.filter((id) => id !== null));
    const acceptedAt = new Date(this.clock.now()).toISOString();
    const batch = requests.map((request) => this.prepare(request, quotes, acceptedAt));
    const verdicts = await this.store.accept(batch, acceptedAt);
    const committedAt = this.clock.now();
    batch.forEach((item, index) => traceAccept(item, verdicts[index]!, acceptedAt, committedAt));
    return batch.map((item, index) => toResult(item, verdicts[index]!));
  }

  private prepare(
    request: AcceptRequest,
    quotes: ReadonlyMap<string, Quote>,
    acceptedAt: string,
  ): Acceptance {
    const { send, idempotency } = request;
    const { credits, rule, quoteId } = this.price(request, quotes);
    const otp = send.otp && { ...send.otp, expires_at: expiryOf(send.otp.ttl_seconds, acceptedAt) };
    const priced = { ...send, credits, price_rule: rule, created_at: acceptedAt, otp };
    return {
      send: priced,
      command: commandText(priced),
      entryId: newId(),
      claim: idempotency,
      quoteId,
    };
  }

  /** That of its quote, else of the list. A quote that is not for it is refused by the store. */
  private price({ send, quote_id: named }: AcceptRequest, quotes: ReadonlyMap<string, Quote>) {
    const ofList = priceOf(send, this.prices.current);
    if (named === undefined || named === null) return { ...ofList, quoteId: null };
    const quoted = quotedPrice(send, quotes.get(quoteIdOf(named) ?? ''));
    return quoted ?? { ...ofList, quoteId: NO_QUOTE };
  }
}

function traceAccept(
  { send }: Acceptance,
  { verdict, credits }: Verdict,
  acceptedAt: string,
  endedAt: number,
): void {
  if (verdict !== 'accepted') return;
  traceStep(() => ({
    messageId: send.resend?.otp_id ?? send.message_id,
    step: send.resend ? `accept/${send.message_id}` : traceSteps.accept,
    under: traceSteps.request,
    name: 'accept',
    kind: 'internal',
    startedAt: Date.parse(acceptedAt),
    endedAt,
    attributes: { 'watchword.credits': credits },
  }));
}

function expiryOf(ttlSeconds: number, acceptedAt: string): string {
  return new Date(Date.parse(acceptedAt) + ttlSeconds * 1_000).toISOString();
}

function toResult(
  { send }: Acceptance,
  { verdict, balance, credits, replayedCommand }: Verdict,
): AcceptResult {
  switch (verdict) {
    case 'accepted':
      return { verdict, command: credits === send.credits ? send : { ...send, credits } };
    case 'replayed':
      return { verdict, command: JSON.parse(replayedCommand!) as SendMessage };
    case 'insufficient_credits':
      return { verdict, balance: balance!, required: credits };
    default:
      return { verdict };
  }
}
