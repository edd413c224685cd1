/** Milliseconds for which an event and its deliveries can be read. */
export const EVENTS_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
