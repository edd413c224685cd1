import { ServerDoesNotStart } from '@watchword/local-servers';

/** For the log. Why a server does not start is in the message: our stack would only say that we waited for it. */
export function troubleFields(error: unknown): Record<string, unknown> {
  if (error === undefined) return {};
  return error instanceof ServerDoesNotStart ? { reason: error.message } : { err: error };
}
