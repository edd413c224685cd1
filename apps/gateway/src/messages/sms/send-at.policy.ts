import {
  ApiError,
  ERROR_MESSAGES,
  type ErrorText,
  isMoment,
  SEND_AT_DAYS_MAX,
} from '@watchword/contracts';

const DAY_MS = 86_400_000;
/** Milliseconds. A time that is less in the past counts as now, because clocks differ. */
const PAST_MAX_MS = 60_000;
/** RFC 3339 with an offset. A time without one would leave its zone open. */
const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns when a message is due. Null is now. */
export function readSendAt(given: string | undefined, nowMs: number): string | null {
  if (given === undefined) return null;
  // RFC 3339 takes `t` and `z` as well.
  const sendAt = given.toUpperCase();
  if (!WITH_OFFSET.test(sendAt) || !isMoment(sendAt)) throw refused(ERROR_MESSAGES.sendAtForm);
  const dueMs = Date.parse(sendAt);
  if (dueMs < nowMs - PAST_MAX_MS) throw refused(ERROR_MESSAGES.sendAtPast);
  if (dueMs > nowMs + SEND_AT_DAYS_MAX * DAY_MS) {
    throw refused(ERROR_MESSAGES.sendAtTooLate(SEND_AT_DAYS_MAX));
  }
  return dueMs <= nowMs ? null : new Date(dueMs).toISOString();
}

function refused(message: ErrorText): ApiError {
  return new ApiError('validation_error', { field: 'send_at', message });
}
