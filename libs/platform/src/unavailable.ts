/** Names, not classes: errors that crossed a network have only a name. */
const UNAVAILABLE = new Set([
  'Overloaded',
  'ServiceUnavailable',
  'DatabaseUnavailable',
  'TransientError',
]);

/** Returns whether a retry may succeed later. */
export function isUnavailable(error: unknown): error is Error {
  return error instanceof Error && UNAVAILABLE.has(error.name);
}
