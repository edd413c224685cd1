/**
 * Where a list of entries goes on: the ordinal of the last entry shown. Ordinals never change and
 * have no gaps, so pages neither repeat nor skip, whatever is written between them. Opaque to
 * clients.
 */
const FIRST_PAGE = Number.MAX_SAFE_INTEGER;

export function cursorAfter(ordinal: number): string {
  return Buffer.from(`entry:${ordinal}`).toString('base64url');
}

/** Null when it is none of ours. */
export function ordinalOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return FIRST_PAGE;
  const [, digits] = /^entry:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return digits === undefined ? null : Number(digits);
}
