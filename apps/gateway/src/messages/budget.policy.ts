import { ApiError, ERROR_MESSAGES, type KeyBudget } from '@watchword/contracts';
import type { Caller } from '../accounts/keys/key-directory.port.js';

/** Returns the daily budget of a send's key, or undefined. */
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
