/** Names, not classes: errors that crossed a network have only a name. */
const AWAY = new Set(['Overloaded', 'ServiceUnavailable', 'DatabaseUnavailable', 'TransientError']);

/** Returns whether a retry may succeed later. */
export function isAway(error: unknown): error is Error {
  return error instanceof Error && AWAY.has(error.name);
}
