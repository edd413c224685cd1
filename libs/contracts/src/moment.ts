/**
 * Returns whether the text is an RFC 3339 time of an existing day and of a year that PostgreSQL can
 * store. JavaScript alone reads February 30 as March 2.
 */
export function isMoment(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (day < '0001' || Number.isNaN(midnight) || Number.isNaN(Date.parse(text))) return false;
  return new Date(midnight).toISOString().startsWith(day);
}
