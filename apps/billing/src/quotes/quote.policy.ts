import { isUuid, type SendRequest } from '@watchword/contracts';
import type { Price } from '../prices/price-list.policy.js';
import type { Quote } from './quote.js';

export const QUOTE_LIFE_MS = 60_000;

/** An id that no quote has. The database finds none and refuses the send. */
export const NO_QUOTE = '00000000-0000-0000-0000-000000000000';

export interface QuotedPrice extends Price {
  /** The quote that the send uses up. */
  quoteId: string;
}

/** Returns null when the quote was not made for this send. */
export function quotedPrice(
  send: Pick<SendRequest, 'workspace_id' | 'test_mode' | 'kind' | 'destination' | 'segments'>,
  quote: Quote | undefined,
): QuotedPrice | null {
  if (!quote) return null;
  const isForIt =
    quote.workspaceId === send.workspace_id.toLowerCase() &&
    quote.testMode === send.test_mode &&
    quote.kind === send.kind &&
    // Records keep an address in lower case. Numbers have no letters.
    quote.destination.toLowerCase() === send.destination.toLowerCase();
  if (!isForIt) return null;
  const { id: quoteId, creditsPerSegment, priceRule: rule } = quote;
  return { quoteId, credits: creditsPerSegment * send.segments, rule };
}

/** Returns the id if it can be looked up. */
export function quoteIdOf(text: string | null | undefined): string | null {
  return text && isUuid(text) ? text.toLowerCase() : null;
}
