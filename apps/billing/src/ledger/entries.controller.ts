import { Controller } from '@nestjs/common';
import {
  type AnswerOf,
  badCursor,
  billingCalls,
  isUuid,
  type LedgerEntry,
  type LedgerQuery,
  ListCursor,
  type Outcome,
  type Page,
  type RequestOf,
  routes,
} from '@watchword/contracts';
import { Caller, CallPattern, Operation, Query, type WorkspaceCaller } from '@watchword/platform';
import { EntryStore, toLedgerEntry } from './entry.store.js';
import { StatementStore, type SumRow } from './statement.store.js';

/** Ordinals never change and have no gaps, so pages neither repeat nor skip an entry. */
const ordinals = new ListCursor('entry', /^\d{1,15}$/);
const newest = Number.MAX_SAFE_INTEGER;

@Controller()
export class EntriesController {
  constructor(
    private readonly entries: EntryStore,
    private readonly statements: StatementStore,
  ) {}

  @Operation(routes.listWorkspaceLedgerEntries)
  async list(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Query() query: LedgerQuery,
  ): Promise<Outcome<Page<LedgerEntry>>> {
    const { limit, cursor, kind } = query;
    const position = cursor === undefined ? newest : ordinals.read(cursor);
    if (position === undefined) throw badCursor();
    // One row more than the page shows whether there is a next page.
    const rows = await this.entries.list({
      workspaceId,
      beforeOrdinal: Number(position),
      limit: limit + 1,
      kind,
    });
    const shown = rows.slice(0, limit);
    const data = shown.map(toLedgerEntry);
    if (rows.length <= limit) return { body: { data } };
    return { body: { data, next_cursor: ordinals.after(String(shown.at(-1)!.ordinal)) } };
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

  @CallPattern(billingCalls, 'getStatement')
  async getStatement(request: RequestOf<'getStatement'>): AnswerOf<'getStatement'> {
    const { workspace_id: workspaceId, month } = request;
    const [year, number] = month.split('-').map(Number) as [number, number];
    const [start, end] = [number - 1, number].map((index) => new Date(Date.UTC(year, index)));
    const after = await this.statements.ordinalBefore(workspaceId, start!);
    const last = await this.statements.ordinalBefore(workspaceId, end!);
    const [opening, closing, rows] = await Promise.all([
      this.statements.balanceAt(workspaceId, after),
      this.statements.balanceAt(workspaceId, last),
      this.statements.sums(workspaceId, after, last),
    ]);
    return { month, opening, ...statementLines(rows), closing };
  }
}

function statementLines(rows: readonly SumRow[]) {
  const linesOf = (kind: SumRow['kind']) =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ channel, country, count, credits }) => ({
        ...{ channel: channel!, country, count, credits },
      }));
  const topUps = rows.filter(({ kind }) => kind === 'top_up');
  return {
    charges: linesOf('charge'),
    refunds: linesOf('refund'),
    top_ups: topUps.map(({ topUpKind, count, credits }) => ({
      ...{ top_up_kind: topUpKind!, count, credits },
    })),
  };
}
