import type { Entry, Evidence, PaymentRow, Reversal } from './evidence.ts';
import { groupBy, type Tally } from './tally.ts';

const PAID = new Set(['paid', 'refunded', 'disputed']);

/** A payment that was paid has one purchase of its credits, any other has none; a reversal has its one adjustment. */
export function checkPayments(tally: Tally, { payments, reversals, entries }: Evidence): void {
  const named = groupBy(
    entries.filter(({ payment_id }) => payment_id !== null),
    ({ payment_id }) => payment_id ?? '',
  );
  const reversed = groupBy(reversals, ({ payment_id }) => payment_id);
  const inFlight = new Set<string>();
  for (const payment of payments) {
    const { id, workspace_id: workspace, credits, status } = payment;
    const own = named.get(id) ?? [];
    named.delete(id);
    const purchases = own.filter(({ top_up_kind }) => top_up_kind === 'purchase');
    tally.expect(purchases.length === (PAID.has(status) ? 1 : 0), () => {
      return `payment ${id} is ${status} and has ${purchases.length} purchases`;
    });
    for (const purchase of purchases) {
      const fits = purchase.credits === credits && purchase.workspace_id === workspace;
      tally.expect(fits, () => `payment ${id}: bought ${purchase.credits} instead of ${credits}`);
    }
    checkReversals(tally, payment, reversed.get(id) ?? [], own);
    if (!payment.automatic || status !== 'pending') continue;
    tally.expect(
      !inFlight.has(workspace),
      () => `workspace ${workspace} has two top-ups in flight`,
    );
    inFlight.add(workspace);
  }
  for (const id of named.keys()) tally.expect(false, () => `entries name payment ${id}, unknown`);
}

function checkReversals(
  tally: Tally,
  payment: PaymentRow,
  reversals: readonly Reversal[],
  entries: readonly Entry[],
): void {
  const adjustments = new Map(
    entries.filter(({ top_up_kind }) => top_up_kind === 'adjustment').map((one) => [one.id, one]),
  );
  let credits = 0;
  for (const { entry_id: id, credits: taken, provider_reversal_id: name } of reversals) {
    credits += taken;
    const entry = adjustments.get(id ?? '');
    adjustments.delete(id ?? '');
    const fits = taken === 0 ? id === null : entry?.reversed_credits === taken;
    tally.expect(fits, () => `reversal ${name} of ${taken} credits has no such adjustment`);
    const isWhole = !entry || -entry.credits + (entry.debt_change ?? 0) === taken;
    tally.expect(isWhole, () => `reversal ${name}: taken and owed are not ${taken}`);
  }
  const isCounted = credits === payment.reversed_credits && credits <= payment.credits;
  tally.expect(isCounted, () => `payment ${payment.id}: ${credits} credits were taken back`);
  tally.expect(adjustments.size === 0, () => `payment ${payment.id} has further adjustments`);
}
