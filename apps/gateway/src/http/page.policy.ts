import { ApiError, inputMessage } from '@watchword/contracts';

export interface Page<Item> {
  data: Item[];
  next_cursor?: string;
}

/** Reads one row more than the page holds, to know whether there is a next one. */
export async function readPage<Row extends { id: string }, Item>(
  query: { limit: number; cursor?: string },
  read: (limit: number, beforeId: string | null) => Promise<Row[]>,
  render: (rows: Row[]) => Item[] | Promise<Item[]>,
): Promise<Page<Item>> {
  const rows = await read(query.limit + 1, decodeCursor(query.cursor));
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const page: Page<Item> = { data: await render(shown) };
  if (rows.length > query.limit && last) page.next_cursor = encodeCursor(last.id);
  return page;
}

/** Opaque to callers: the id that the next page comes after. */
function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function decodeCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
  throw badCursor();
}

export function badCursor(): ApiError {
  return new ApiError('validation_error', {
    field: 'cursor',
    message: inputMessage('cursor', 'foreignCursor'),
  });
}
