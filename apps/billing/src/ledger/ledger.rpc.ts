import { type BillingCalls, isUuid } from '@watchword/contracts';
import { cursorAfter, ordinalOf } from './cursor.policy.js';
import { type EntryStore, toLedgerEntry } from './entry.store.js';

export class LedgerRpc {
  constructor(private readonly entries: EntryStore) {}

  listEntries: BillingCalls['listEntries'] = async (request) => {
    const { workspace_id: workspaceId, limit, cursor, kind } = request;
    const beforeOrdinal = ordinalOf(cursor);
    if (beforeOrdinal === null) return { verdict: 'bad_cursor' };
    if (!isUuid(workspaceId)) return { data: [] };
    // One more than asked for tells whether there is a next page.
    const rows = await this.entries.list({ workspaceId, beforeOrdinal, limit: limit + 1, kind });
    const shown = rows.slice(0, limit);
    const data = shown.map(toLedgerEntry);
    return rows.length > limit
      ? { data, next_cursor: cursorAfter(shown.at(-1)!.ordinal) }
      : { data };
  };
}
