import type { TopUpKind } from '@watchword/contracts';

interface Wallet {
  balance: number;
  purchasedCredits: number;
  entryCount: number;
}

/** The wallet after a top-up; null when it would leave less than nothing. */
export function toppedUp<Account extends Wallet>(
  account: Account,
  credits: number,
  kind: TopUpKind,
): Account | null {
  if (credits < 0 && kind !== 'adjustment') {
    throw new RangeError(`a top-up of kind ${kind} cannot take credits away`);
  }
  const balance = account.balance + credits;
  if (balance < 0) return null;
  return {
    ...account,
    balance,
    // What was bought in total opens doors (sender IDs), so only purchases count.
    purchasedCredits: account.purchasedCredits + (kind === 'purchase' ? credits : 0),
    entryCount: account.entryCount + 1,
  };
}
