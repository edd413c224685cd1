import type { EntryId, WorkspaceId } from '@watchword/contracts';

export interface LedgerFault {
  workspaceId: WorkspaceId;
  fault: string;
  /** The wrong entry. Null when the account is wrong. */
  entryId: EntryId | null;
}

/** Use of grants by `<unit> <month>`, for example `sms_segment 2026-11-01`. */
type GrantUse = Readonly<Record<string, number>>;

/** What the entries of an account add up to, up to and with the last one that was read. */
export interface Tally {
  readonly entries: number;
  readonly lastOrdinal: number;
  readonly balanceAfter: number;
  readonly credits: number;
  readonly purchased: number;
  readonly debt: number;
  readonly used: GrantUse;
}

/** The opening balance of every account is zero. */
export const NOTHING_READ: Tally = {
  ...{ entries: 0, lastOrdinal: 0, balanceAfter: 0, credits: 0, purchased: 0, debt: 0 },
  used: {},
};

/** An account as it stands, in the snapshot in which its entries were read. */
export interface StandingAccount {
  readonly balance: number;
  readonly entryCount: number;
  readonly purchasedCredits: number;
  readonly debt: number;
  readonly grants: GrantUse;
}

/** Adds the entries of a page, whose sums and last values `page` has. */
export function withPage(tally: Tally, page: Tally): Tally {
  if (page.entries === 0) return tally;
  return {
    entries: tally.entries + page.entries,
    lastOrdinal: page.lastOrdinal,
    balanceAfter: page.balanceAfter,
    credits: tally.credits + page.credits,
    purchased: tally.purchased + page.purchased,
    debt: tally.debt + page.debt,
    used: unitsOf(tally.used, page.used, (one, other) => one + other),
  };
}

/** Returns what is wrong with an account whose entries have all been read. */
export function accountFaults(tally: Tally, account: StandingAccount): string[] {
  const left = unitsOf(tally.used, account.grants, (taken, known) => taken - known);
  const wrong: [boolean, string][] = [
    [account.balance !== tally.credits, 'balance is not the sum of the entries'],
    [account.balance < 0, 'balance is negative'],
    [account.entryCount !== tally.entries, 'entries are missing or too many'],
    [
      account.purchasedCredits !== tally.purchased,
      'purchased credits are not the sum of the purchases',
    ],
    [account.debt !== tally.debt, 'debt is not the sum of the entries'],
    [
      Object.values(left).some((units) => units !== 0),
      'use of a grant is not the sum of the entries',
    ],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, fault]) => fault);
}

function unitsOf(one: GrantUse, other: GrantUse, of: (a: number, b: number) => number): GrantUse {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, of(one[name] ?? 0, other[name] ?? 0)]));
}
