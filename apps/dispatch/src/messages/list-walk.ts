import type { MessageId, MomentPosition, WorkspaceId } from '@watchword/contracts';
import type { CreatedBetween } from './message-filters.policy.js';

/** Most rows that one call reads, so that a rare filter cannot make it read all. */
export const WALKED_MAX = 20_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** What lists of texts and of emails have in common. */
export interface ListAsked extends CreatedBetween {
  readonly workspace_id: WorkspaceId;
  /** The mode of the caller. Null sees both. */
  readonly test_mode: boolean | null;
  readonly limit: number;
  readonly status?: string | undefined;
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  /** Filters within the caller's own mode. */
  readonly only_test_mode?: boolean | undefined;
}

interface Row {
  id: MessageId;
  createdAt: Date;
}

/** Returns the walk, newest first. $1 to $4 are the values of `walkValues`. */
export function walkOf(table: 'messages' | 'emails'): string {
  return `
  FROM ${table}
  WHERE workspace_id = $1 AND (created_at, id) < ($2, $3) AND created_at > $4
  ORDER BY created_at DESC, id DESC`;
}

export interface ListPage {
  readonly ids: MessageId[];
  /** Cursor of the next page. Null at the end. */
  readonly next: MomentPosition | null;
}

type Read = (values: readonly unknown[]) => Promise<{ readonly rows: readonly Row[] }>;

/**
 * Returns one page of a walk. `list` filters the walked rows and gets one value more: the number of
 * rows, one more than the page, which shows whether there is a next page. `walkEnd` finds the last
 * walked row.
 */
export async function pageOfWalk(
  asked: ListAsked,
  after: MomentPosition | null,
  { list, walkEnd }: { readonly list: Read; readonly walkEnd: Read },
): Promise<ListPage> {
  const { limit } = asked;
  const walk = walkValues(asked, after);
  const { rows } = await list([...walk, limit + 1]);
  const shown = rows.slice(0, limit);
  const ids = shown.map(({ id }) => id);
  if (rows.length > limit) return { ids, next: positionAt(shown.at(-1)!) };
  const end = await walkEnd(walk);
  return { ids, next: end.rows[0] ? positionAt(end.rows[0]) : null };
}

function walkValues(asked: ListAsked, after: MomentPosition | null): unknown[] {
  const end = earlier(after, asked.created_before);
  const since = asked.created_after ?? '-infinity';
  return [asked.workspace_id, end?.createdAt ?? 'infinity', end?.id ?? NO_ID, since];
}

function positionAt({ id, createdAt }: Row): MomentPosition {
  return { id, createdAt: createdAt.toISOString() };
}

/** Both are upper bounds. Returns the lower one. */
function earlier(after: MomentPosition | null, before: string | undefined): MomentPosition | null {
  if (before === undefined) return after;
  const bound = { createdAt: new Date(before).toISOString(), id: NO_ID };
  if (after === null) return bound;
  return Date.parse(after.createdAt) < Date.parse(bound.createdAt) ? after : bound;
}
