import { type FoundMessage, ListCursor } from '@watchword/contracts';

/** Where a page goes on in one table: after an id, from the start, or not at all. */
export type Position = string | 'start' | 'end';

export interface Positions {
  readonly texts: Position;
  readonly emails: Position;
}

export const START: Positions = { texts: 'start', emails: 'start' };

const POSITION = '(?:start|end|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const cursors = new ListCursor('found', new RegExp(`^${POSITION}/${POSITION}$`));

/** Undefined when the cursor belongs to another list. */
export function positionsOf(cursor: string): Positions | undefined {
  const [texts, emails] = cursors.read(cursor)?.split('/') ?? [];
  return texts === undefined || emails === undefined ? undefined : { texts, emails };
}

/** What one table has for the page, newest first. */
export interface Side {
  readonly from: Position;
  readonly records: readonly FoundMessage[];
  /** The row that the table's next page goes on after; null at its end. */
  readonly next: string | null;
}

export const NOTHING: Side = { from: 'end', records: [], next: null };

/** Returns the newest records of both sides, and the cursor after them. */
export function foundPage(texts: Side, emails: Side, limit: number) {
  const data = [...texts.records, ...emails.records].toSorted(newestFirst).slice(0, limit);
  const shown = new Set<FoundMessage>(data);
  const positions = [texts, emails].map((side) => positionAfter(side, shown));
  if (positions.every((position) => position === 'end')) return { data };
  return { data, next_cursor: cursors.after(positions.join('/')) };
}

function newestFirst(one: FoundMessage, other: FoundMessage): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}

function positionAfter({ from, records, next }: Side, shown: ReadonlySet<FoundMessage>): Position {
  if (records.every((record) => shown.has(record))) return next ?? 'end';
  return records.findLast((record) => shown.has(record))?.id ?? from;
}
