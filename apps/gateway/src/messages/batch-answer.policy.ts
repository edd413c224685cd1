import {
  ApiError,
  type BatchItemError,
  type BatchOutcome,
  ERROR_MESSAGES,
  type Language,
  type SendMessage,
} from '@watchword/contracts';
import type { SendWords } from '../inputs/send-words.policy.js';

type Item<Shown> = { index: number } & (Shown | { error: BatchItemError });

interface Options<Shown> {
  /** Returns an accepted item as the answer shows it. */
  readonly shown: (command: SendMessage) => Shown;
  /** Errors of an item that the balance did not pay, or that a limit refused. */
  readonly words: Pick<SendWords, 'unpaid' | 'limited'>;
  readonly language: Language;
}

/** The answer to a batch: an entry for each item, in order. */
export function batchAnswer<Shown extends object>(
  outcomes: readonly BatchOutcome[],
  { shown, words, language }: Options<Shown>,
): { accepted: number; failed: number; data: Item<Shown>[] } {
  const itemOf = (outcome: BatchOutcome): Shown | { error: BatchItemError } => {
    if (outcome.verdict === 'accepted') return shown(outcome.command);
    if (outcome.verdict === 'refused') return { error: JSON.parse(outcome.error) };
    const refusal =
      outcome.verdict === 'limited'
        ? new ApiError(words.limited, { retryAfterSeconds: outcome.retry_after_seconds })
        : new ApiError(words.unpaid);
    return { error: itemError(refusal, language) };
  };
  const accepted = outcomes.filter(({ verdict }) => verdict === 'accepted').length;
  return {
    accepted,
    failed: outcomes.length - accepted,
    data: outcomes.map((outcome, index) => ({ index, ...itemOf(outcome) })),
  };
}

/** Returns the index of the first item that is no object, or undefined. */
export function misfitOf(items: readonly unknown[]): number | undefined {
  const found = items.findIndex(
    (item) => typeof item !== 'object' || item === null || Array.isArray(item),
  );
  return found < 0 ? undefined : found;
}

/** A quote fixes the price of one send. */
export function refuseQuote(item: object): void {
  if (!('quote_id' in item)) return;
  const message = ERROR_MESSAGES.quoteIdOfItem;
  throw new ApiError('validation_error', { field: 'quote_id', message });
}

/** Returns an item's refusal as the batch shows it. */
export function itemError(error: ApiError, language: Language): BatchItemError {
  return {
    type: error.type,
    message: error.text[language],
    ...(error.field !== undefined && { field: error.field }),
    ...(error.status === 429 && { retry_after_seconds: error.retryAfterSeconds }),
  };
}
