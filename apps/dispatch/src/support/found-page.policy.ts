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

/**
 * Returns the newest records of both sides, each in its own order, and the cursor after them. The page is
 * short where a side has shown all it has read and has more: that may be newer than the rest of the other.
 */
export function foundPage(texts: Side, emails: Side, limit: number) {
  const data: FoundMessage[] = [];
  const shown = { texts: 0, emails: 0 };
  const mayRead = () =>
    (shown.texts < texts.records.length || texts.next === null) &&
    (shown.emails < emails.records.length || emails.next === null);
  while (data.length < limit && mayRead()) {
    const [text, email] = [texts.records[shown.texts], emails.records[shown.emails]];
    if (text === undefined && email === undefined) break;
    const isText =
      email === undefined || (text !== undefined && text.created_at > email.created_at);
    data.push((isText ? text : email)!);
    shown[isText ? 'texts' : 'emails'] += 1;
  }
  const positions = [positionAfter(texts, shown.texts), positionAfter(emails, shown.emails)];
  if (positions.every((position) => position === 'end')) return { data };
  return { data, next_cursor: cursors.after(positions.join('/')) };
}

function positionAfter({ from, records, next }: Side, shown: number): Position {
  if (shown === records.length) return next ?? 'end';
  return records[shown - 1]?.id ?? from;
}
