import { ApiError } from '../errors/error-catalogue.js';
import { inputMessage } from '../errors/input-problems.js';
import { ID_POSITION, ListCursor } from '../list-cursor.js';

export interface Page<Item> {
  data: Item[];
  next_cursor?: string;
}

/** A list with pages that continue after an id. */
export type PagedList =
  | 'api-keys'
  | 'audit'
  | 'domains'
  | 'invitations'
  | 'members'
  | 'platform-audit'
  | 'sender-ids'
  | 'sms-templates'
  | 'webhooks'
  | 'workspaces';

/** Reads one row more than the page holds, to know whether another page follows. */
export async function readPage<Row extends { id: string }, Item>(
  list: PagedList,
  query: { limit: number; cursor?: string },
  read: (limit: number, beforeId: string | null) => Promise<Row[]>,
  render: (rows: Row[]) => Item[] | Promise<Item[]>,
): Promise<Page<Item>> {
  const cursors = new ListCursor(list, ID_POSITION);
  const rows = await read(query.limit + 1, idBefore(cursors, query.cursor));
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const page: Page<Item> = { data: await render(shown) };
  if (rows.length > query.limit && last) page.next_cursor = cursors.after(last.id);
  return page;
}

function idBefore(cursors: ListCursor, cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const id = cursors.read(cursor);
  if (id === undefined) throw badCursor();
  return id;
}

export function badCursor(): ApiError {
  return new ApiError('validation_error', {
    field: 'cursor',
    message: inputMessage('cursor', 'foreignCursor'),
  });
}
