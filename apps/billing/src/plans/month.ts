/** Returns the UTC month, as the acceptance transaction computes it: `2026-11`. */
export function monthOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 'yyyy-mm'.length);
}

/** Returns the day that stands for a month in the database. */
export function firstDayOf(month: string): string {
  return `${month}-01`;
}
