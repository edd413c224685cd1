import type { CreditLow } from '@watchword/contracts';

/**
 * Returns a `credit.low` event as a template for PostgreSQL's `format`, because only the acceptance
 * transaction knows the balance. Arguments: workspace, entry, balance, threshold.
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
  // The two numbers have no quotes.
  return JSON.stringify(event).replace(/"(%[34]\$s)"/g, '$1');
}
