import { ApiError, ERROR_MESSAGES, type KeyBudget } from '@watchword/contracts';
import type { Caller } from '../accounts/keys/key-directory.port.js';

/** The daily budget that a send counts against; undefined for a key without one. */
export function budgetOf({ keyId, agent }: Caller): KeyBudget | undefined {
  const daily = agent?.dailyBudgetCredits ?? null;
  return daily === null ? undefined : { key_id: keyId, daily_credits: daily };
}

export function overBudget(): ApiError {
  return new ApiError('insufficient_credits', {
    field: 'daily_budget',
    message: ERROR_MESSAGES.dailyBudget,
  });
}
