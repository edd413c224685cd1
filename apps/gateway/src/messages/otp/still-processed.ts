import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';

/** Returns the answer for an accepted OTP that has not reached dispatch yet. */
export function stillProcessed(): ApiError {
  return new ApiError('internal_error', {
    status: 503,
    retryAfterSeconds: 1,
    message: ERROR_MESSAGES.otpStillProcessed,
  });
}
