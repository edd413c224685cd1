import { RECOVERY_DAYS_MAX } from '@watchword/contracts';

/** Milliseconds for which an event and its deliveries can be read. */
export const EVENTS_KEPT_MS = RECOVERY_DAYS_MAX * 24 * 60 * 60 * 1_000;
