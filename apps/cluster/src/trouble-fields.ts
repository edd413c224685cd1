import { ServerDoesNotStart } from '@watchword/local-servers';

/**
 * Fields for the log. The message says why a server does not start; our stack would add nothing.
 */
export function troubleFields(error: unknown): Record<string, unknown> {
  if (error === undefined) return {};
  return error instanceof ServerDoesNotStart ? { reason: error.message } : { err: error };
}
