/**
 * True for an RFC 3339 moment of a day that the calendar has, in a year that PostgreSQL has, too. JavaScript
 * alone takes the thirtieth of February for the second of March.
 */
export function isMoment(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (day < '0001' || Number.isNaN(midnight) || Number.isNaN(Date.parse(text))) return false;
  return new Date(midnight).toISOString().startsWith(day);
}
