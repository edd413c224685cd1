/** How long an event and its deliveries can be asked for. */
export const EVENTS_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** The smallest UUIDv7 of a moment: 48 bits of time come first. */
export function firstIdAt(moment: Date): string {
  const time = moment.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** The same of an event. */
export function firstEventIdAt(moment: Date): string {
  return `evt_${firstIdAt(moment).replaceAll('-', '')}`;
}
