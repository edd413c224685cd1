import { BALANCE_MAX, type TopUpKind } from '@watchword/contracts';

interface Wallet {
  balance: number;
  purchasedCredits: number;
  entryCount: number;
  debt: number;
}

/**
 * Returns the wallet after a refund or dispute took credits back, and how many it still had.
 * Credits that were spent become a debt.
 */
export function takenBack<Account extends Wallet>(
  account: Account,
  credits: number,
): { after: Account; taken: number } {
  const { balance, purchasedCredits, debt, entryCount } = account;
  const taken = Math.min(balance, credits);
  const after = {
    ...account,
    balance: balance - taken,
    purchasedCredits: purchasedCredits - credits,
    debt: debt + credits - taken,
    entryCount: entryCount + 1,
  };
  return { after, taken };
}

/** Returns the wallet after a purchase paid its debt, or undefined without a debt. */
export function debtPaid<Account extends Wallet>(
  account: Account,
  purchased: number,
): { after: Account; paid: number } | undefined {
  const { balance, debt, entryCount } = account;
  const paid = Math.min(debt, purchased);
  if (paid === 0) return undefined;
  const after = {
    ...account,
    balance: balance - paid,
    debt: debt - paid,
    entryCount: entryCount + 1,
  };
  return { after, paid };
}

/** Returns the wallet after a top-up, or the bound that the top-up would exceed. */
export function toppedUp<Account extends Wallet>(
  account: Account,
  credits: number,
  kind: TopUpKind,
): Account | 'balance_too_low' | 'balance_too_high' {
  if (credits < 0 && kind !== 'adjustment') {
    throw new RangeError(`a top-up of kind ${kind} cannot take credits away`);
  }
  const balance = account.balance + credits;
  // The total of bought credits unlocks sender IDs, so only purchases count.
  const purchasedCredits = account.purchasedCredits + (kind === 'purchase' ? credits : 0);
  if (balance < 0) return 'balance_too_low';
  if (credits > 0 && Math.max(balance, purchasedCredits) > BALANCE_MAX) return 'balance_too_high';
  return { ...account, balance, purchasedCredits, entryCount: account.entryCount + 1 };
}
