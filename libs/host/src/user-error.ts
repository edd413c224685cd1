import { TopicsDisagree } from '@watchword/bus';
import { ConfigError } from '@watchword/config';
import { DatabaseOfAnotherVersion, DatabaseUnusable } from '@watchword/postgres';

/** An error that the person at the keyboard can correct. Shown as its message, without a stack. */
export class UserError extends Error {}

const kinds = [UserError, ConfigError, DatabaseOfAnotherVersion, DatabaseUnusable, TopicsDisagree];

export function isUserError(error: unknown): error is Error {
  return kinds.some((kind) => error instanceof kind);
}
