/**
 * The clock is injected everywhere, so that tests can move it. It returns milliseconds since 1970,
 * in UTC.
 */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
