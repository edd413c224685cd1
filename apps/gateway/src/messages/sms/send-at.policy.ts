import {
  ApiError,
  ERROR_MESSAGES,
  type ErrorText,
  readMoment,
  SEND_AT_DAYS_MAX,
} from '@watchword/contracts';

const DAY_MS = 86_400_000;
/** Milliseconds. A time that is less in the past counts as now, because clocks differ. */
const PAST_MAX_MS = 60_000;
/** A moment may leave out the time of the day, or the seconds. */
const WITH_SECONDS = /[T ]\d\d:?\d\d:?\d\d/i;

/** Returns when a message is due. Null is now. */
export function readSendAt(given: string | undefined, nowMs: number): string | null {
  if (given === undefined) return null;
  const due = WITH_SECONDS.test(given) ? readMoment(given) : null;
  if (due === null) throw refused(ERROR_MESSAGES.sendAtForm);
  const dueMs = due.getTime();
  if (dueMs < nowMs - PAST_MAX_MS) throw refused(ERROR_MESSAGES.sendAtPast);
  if (dueMs > nowMs + SEND_AT_DAYS_MAX * DAY_MS) {
    throw refused(ERROR_MESSAGES.sendAtTooLate(SEND_AT_DAYS_MAX));
  }
  return dueMs <= nowMs ? null : due.toISOString();
}

function refused(message: ErrorText): ApiError {
  return new ApiError('validation_error', { field: 'send_at', message });
}
