/** Returns the UTC month, as the acceptance transaction computes it: `2026-11`. */
export function monthOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 'yyyy-mm'.length);
}

/** Returns the day by which the database names a month. */
export function firstDayOf(month: string): string {
  return `${month}-01`;
}
