import type { CreditLow } from '@watchword/contracts';

/**
 * A `credit.low` event as a template of PostgreSQL's `format`, because only the acceptance transaction knows the
 * balance. Arguments: workspace, entry, balance, threshold.
 */
export function lowBalanceTemplate(occurredAt: string): string {
  const event: Record<keyof CreditLow, string> = {
    type: 'credit.low',
    workspace_id: '%1$s',
    entry_id: '%2$s',
    balance_after: '%3$s',
    threshold: '%4$s',
    occurred_at: occurredAt,
  };
  // The two numbers stand without quotes.
  return JSON.stringify(event).replace(/"(%[34]\$s)"/g, '$1');
}
