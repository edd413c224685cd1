import type { Language, QuoteAnswer, QuoteOffer } from '@watchword/contracts';

export interface Quoted {
  readonly answer: QuoteAnswer;
  readonly replayed: boolean;
}

/**
 * The part of an answer that does not come from billing. It is stored with a key, so that a replay
 * returns the same.
 */
export interface Remarks extends Omit<
  QuoteAnswer,
  'quote_id' | 'expires_at' | 'credits' | 'price'
> {
  readonly language: Language;
}

/** Returns the remarks of the quote that its key got first, else these. */
export function remarksOf<Fresh>({ remarks }: QuoteOffer, fresh: Fresh): Remarks | Fresh {
  return remarks === undefined ? fresh : (JSON.parse(remarks) as Remarks);
}
