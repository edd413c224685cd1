import type { Queryable } from '@watchword/postgres';
import { CreditEventStore } from '../accounts/credit-event.store.js';
import type { PaymentRow } from './payment.js';
import { TopUpSettingsStore } from './top-up-settings.store.js';

/** Switches automatic top-ups off and announces the one that failed. */
export async function endTopUps(
  transaction: Queryable,
  { payment, failure, balance }: { payment: PaymentRow; failure: string; balance: number },
  reason: 'payment_failed' | 'payment_held',
  at: Date,
): Promise<void> {
  const { id, workspaceId, credits, amount, currency } = payment;
  await new TopUpSettingsStore(transaction).switchOff(workspaceId, reason, at);
  await new CreditEventStore(transaction).announce({
    type: 'credit.top_up_failed',
    workspace_id: workspaceId,
    payment_id: id,
    ...{ credits, amount, currency, failure, balance },
    occurred_at: at.toISOString(),
  });
}
