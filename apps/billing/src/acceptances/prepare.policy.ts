import { type AcceptRequest, newId, type PriceListVersion, timeText } from '@watchword/contracts';
import { grantUnitOf } from '../plans/grant-unit.policy.js';
import { priceOf } from '../prices/price-list.policy.js';
import { NO_QUOTE, quotedPrice, quoteIdOf } from '../quotes/quote.policy.js';
import type { Quote } from '../quotes/quote.js';
import type { Acceptance } from './acceptance.js';

/** Values shared by all sends that are accepted together. */
export interface Terms {
  prices: PriceListVersion;
  quotes: ReadonlyMap<string, Quote>;
  /** Time in every command, entry and key. */
  acceptedAt: string;
}

/** Prices a send and completes its command. */
export function prepare(request: AcceptRequest, terms: Terms): Acceptance {
  const { send, idempotency } = request;
  const { prices, acceptedAt } = terms;
  const { credits, rule, quoteId } = price(request, terms);
  const otp = send.otp && { ...send.otp, expires_at: expiryOf(send.otp.ttl_seconds, acceptedAt) };
  // These members follow `send`, so that it cannot replace them. `credits` is undefined, so the text has none.
  const uncharged = {
    ...send,
    credits: undefined,
    credit_price: prices.list.credit_price,
    price_rule: rule,
    created_at: acceptedAt,
    otp,
  };
  return {
    send: { ...uncharged, credits },
    command: JSON.stringify(uncharged).slice(1),
    entryId: newId(),
    claim: idempotency,
    quoteId,
    unit: grantUnitOf(send),
    quantity: send.segments,
    budget: request.budget ?? null,
    windows: request.windows ?? [],
  };
}

/** Returns the price: the quote's, else the list's. The store refuses a quote for another send. */
function price({ send, quote_id: named }: AcceptRequest, { prices, quotes }: Terms) {
  const ofList = priceOf(send, prices);
  if (named === undefined || named === null) return { ...ofList, quoteId: null };
  const quoted = quotedPrice(send, quotes.get(quoteIdOf(named) ?? ''));
  return quoted ?? { ...ofList, quoteId: NO_QUOTE };
}

function expiryOf(ttlSeconds: number, acceptedAt: string): string {
  return timeText(new Date(Date.parse(acceptedAt) + ttlSeconds * 1_000));
}
