import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';

/** The answer for an accepted one-time password that has not reached dispatch yet. */
export function stillProcessed(): ApiError {
  return new ApiError('internal_error', {
    status: 503,
    retryAfterSeconds: 1,
    message: ERROR_MESSAGES.otpStillProcessed,
  });
}
