import { isUuid, type SendRequest } from '@watchword/contracts';
import type { Price } from '../prices/price-list.policy.js';
import type { Quote } from './quote.js';

export const QUOTE_LIFE_MS = 60_000;

/** No quote has it: the database finds none, and refuses the send in its turn. */
export const NO_QUOTE = '00000000-0000-0000-0000-000000000000';

export interface QuotedPrice extends Price {
  /** The quote to be used up by it. */
  quoteId: string;
}

/** Null when the quote was not made for this send. */
export function quotedPrice(
  send: Pick<SendRequest, 'workspace_id' | 'test_mode' | 'kind' | 'destination' | 'segments'>,
  quote: Quote | undefined,
): QuotedPrice | null {
  if (!quote) return null;
  const isForIt =
    quote.workspaceId === send.workspace_id.toLowerCase() &&
    quote.testMode === send.test_mode &&
    quote.kind === send.kind &&
    quote.destination === send.destination;
  if (!isForIt) return null;
  const { id: quoteId, creditsPerSegment, priceRule: rule } = quote;
  return { quoteId, credits: creditsPerSegment * send.segments, rule };
}

/** The ids that a look-up can be asked for. */
export function quoteIdOf(text: string | null | undefined): string | null {
  return text && isUuid(text) ? text.toLowerCase() : null;
}
