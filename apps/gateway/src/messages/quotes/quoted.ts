import type { Language, QuoteAnswer, QuoteResult } from '@watchword/contracts';

/** The part of an answer that comes from billing. */
export type Priced = Extract<QuoteResult, { verdict: 'quoted' }>;

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
