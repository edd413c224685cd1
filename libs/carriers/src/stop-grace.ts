/**
 * Milliseconds that an account waits for outstanding answers when it stops. Dispatch has awaited its open calls
 * before, for as long as the process may.
 */
export const STOP_GRACE_MS = 250;
