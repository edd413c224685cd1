import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';

/** 404 for an id that names nothing of the workspace. */
export function unknownRecord(kind: 'template' | 'sender_id'): ApiError {
  const message =
    kind === 'template' ? ERROR_MESSAGES.noSuchTemplate : ERROR_MESSAGES.noSuchSenderId;
  return new ApiError('not_found', { message });
}
