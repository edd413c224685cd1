import { BALANCE_MAX, type TopUpKind } from '@watchword/contracts';

interface Wallet {
  balance: number;
  purchasedCredits: number;
  entryCount: number;
}

/** The wallet after a top-up, or the bound that the top-up would break. */
export function toppedUp<Account extends Wallet>(
  account: Account,
  credits: number,
  kind: TopUpKind,
): Account | 'balance_too_low' | 'balance_too_high' {
  if (credits < 0 && kind !== 'adjustment') {
    throw new RangeError(`a top-up of kind ${kind} cannot take credits away`);
  }
  const balance = account.balance + credits;
  // Credits bought in total open doors (sender IDs), so only purchases count.
  const purchasedCredits = account.purchasedCredits + (kind === 'purchase' ? credits : 0);
  if (balance < 0) return 'balance_too_low';
  if (credits > 0 && Math.max(balance, purchasedCredits) > BALANCE_MAX) return 'balance_too_high';
  return { ...account, balance, purchasedCredits, entryCount: account.entryCount + 1 };
}
