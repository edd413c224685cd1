import type { ApiError, BatchItemError, Language } from '@watchword/contracts';

/** An item's refusal as the batch shows it. */
export function itemError(error: ApiError, language: Language): BatchItemError {
  return {
    type: error.type,
    message: error.text[language],
    ...(error.field !== undefined && { field: error.field }),
    ...(error.status === 429 && { retry_after_seconds: error.retryAfterSeconds }),
  };
}
