import { Injectable } from '@nestjs/common';
import type { WorkspaceId } from '@watchword/contracts';
import {
  accountFaults,
  type LedgerFault,
  NOTHING_READ,
  type Tally,
  withPage,
} from './ledger-audit.policy.js';
import { LedgerAuditStore } from './ledger-audit.store.js';

/** Bounds of one statement, which takes a fraction of a second. */
const SIZES = { accounts: 50, entries: 2_000 };
/** Audits of which the first reads every entry, and the others those that are new. */
const FULL_EVERY = 24;

/**
 * Compares every account with its entries. Entries are never changed, so what was read and found
 * right is added up here, and the next audit goes on from there. A wrong account is read from its
 * first entry each time, so that its fault is found until it is fixed.
 */
@Injectable()
export class LedgerAuditHandler {
  /** One for each account, at most about 0.7 kB: 70 MB for 100,000 accounts. */
  private readonly tallies = new Map<WorkspaceId, Tally>();
  private audits = 0;

  constructor(private readonly store: LedgerAuditStore) {}

  /** Returns all faults of the ledger. */
  async handle(sizes = SIZES): Promise<LedgerFault[]> {
    if (this.audits % FULL_EVERY === 0) this.tallies.clear();
    this.audits += 1;
    const faults: LedgerFault[] = [];
    let last: WorkspaceId | null = null;
    for (;;) {
      const ids: WorkspaceId[] = await this.store.accountsAfter(last, sizes.accounts);
      faults.push(...(await this.auditAccounts(ids, sizes.entries)));
      if (ids.length < sizes.accounts) return faults;
      last = ids.at(-1)!;
    }
  }

  private async auditAccounts(
    ids: readonly WorkspaceId[],
    entriesMax: number,
  ): Promise<LedgerFault[]> {
    const faults: LedgerFault[] = [];
    const wrong = new Set<WorkspaceId>();
    const note = (fault: LedgerFault) => {
      wrong.add(fault.workspaceId);
      faults.push(fault);
    };
    let open = new Map(ids.map((id) => [id, this.tallies.get(id) ?? NOTHING_READ]));
    while (open.size > 0) {
      const unfinished = new Map<WorkspaceId, Tally>();
      for (const read of await this.store.pages(open, entriesMax)) {
        const { workspaceId, account, page } = read;
        for (const { fault, entryId } of read.faults) note({ workspaceId, fault, entryId });
        const tally = withPage(open.get(workspaceId)!, page);
        if (page.entries === entriesMax) {
          unfinished.set(workspaceId, tally);
          continue;
        }
        for (const fault of accountFaults(tally, account)) {
          note({ workspaceId, fault, entryId: null });
        }
        if (wrong.has(workspaceId)) this.tallies.delete(workspaceId);
        else this.tallies.set(workspaceId, tally);
      }
      open = unfinished;
    }
    return faults;
  }
}
