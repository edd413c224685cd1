/** Names, not classes: errors that crossed a network have only a name. */
const AWAY = new Set(['Overloaded', 'ServiceUnavailable', 'DatabaseUnavailable', 'TransientError']);

/** True for errors that say "come back later": a retry may succeed. */
export function isAway(error: unknown): error is Error {
  return error instanceof Error && AWAY.has(error.name);
}
