import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';

export function isDisabled(): ApiError {
  return new ApiError('conflict', { message: ERROR_MESSAGES.webhookIsDisabled });
}
