import { Controller } from '@nestjs/common';
import {
  type AnswerOf,
  billingCalls,
  isUuid,
  ListCursor,
  type RequestOf,
} from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { EntryStore, toLedgerEntry } from './entry.store.js';

/** Ordinals never change and have no gaps, so pages neither repeat nor skip an entry. */
const ordinals = new ListCursor('entry', /^\d{1,15}$/);
const newest = Number.MAX_SAFE_INTEGER;

@Controller()
export class LedgerRpc {
  constructor(private readonly entries: EntryStore) {}

  @CallPattern(billingCalls, 'listEntries')
  async listEntries(request: RequestOf<'listEntries'>): AnswerOf<'listEntries'> {
    const { workspace_id: workspaceId, limit, cursor, kind } = request;
    const position = cursor === undefined ? newest : ordinals.read(cursor);
    if (position === undefined) return { verdict: 'bad_cursor' };
    if (!isUuid(workspaceId)) return { data: [] };
    // One row more than the page shows whether there is a next page.
    const rows = await this.entries.list({
      workspaceId,
      beforeOrdinal: Number(position),
      limit: limit + 1,
      kind,
    });
    const shown = rows.slice(0, limit);
    const data = shown.map(toLedgerEntry);
    return rows.length > limit
      ? { data, next_cursor: ordinals.after(String(shown.at(-1)!.ordinal)) }
      : { data };
  }

  @CallPattern(billingCalls, 'listMessageEntries')
  async listMessageEntries(
    request: RequestOf<'listMessageEntries'>,
  ): AnswerOf<'listMessageEntries'> {
    const { workspace_id: workspaceId, message_ids: messageIds } = request;
    const ids = messageIds.filter((id) => isUuid(id));
    if (!isUuid(workspaceId) || ids.length === 0) return { data: [] };
    const rows = await this.entries.ofMessages(workspaceId, ids);
    return { data: rows.map((row) => ({ ...toLedgerEntry(row), price_rule: row.priceRule })) };
  }
}
