import { ApiError, ERROR_MESSAGES, inputMessage, readMoment } from '@watchword/contracts';

export function isDisabled(): ApiError {
  return new ApiError('conflict', { message: ERROR_MESSAGES.webhookIsDisabled });
}

export function momentOf(text: string, field: string): Date {
  const at = readMoment(text);
  if (at) return at;
  throw new ApiError('validation_error', { field, message: inputMessage(field, 'notAMoment') });
}
