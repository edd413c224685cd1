import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';

const MESSAGES = {
  template: ERROR_MESSAGES.noSuchTemplate,
  sender_id: ERROR_MESSAGES.noSuchSenderId,
  domain: ERROR_MESSAGES.noSuchDomain,
};

/** Returns a 404 for an id that the workspace does not have. */
export function unknownRecord(kind: keyof typeof MESSAGES): ApiError {
  return new ApiError('not_found', { message: MESSAGES[kind] });
}
