import type { Effect } from './audit.store.js';

/** The result of a call, before it is an answer. */
export interface Outcome<Body = unknown> {
  /** Left out for an empty answer. */
  body?: Body;
  /** JSON text that is sent as it is, in place of a body. */
  json?: string;
  /** True for the answer of an earlier request with the same `Idempotency-Key`. */
  replayed?: boolean;
  /** True where all was done before; the route's `unchangedStatus` says so. */
  unchanged?: boolean;
  /** What the audit keeps; most reads have none. */
  effect?: Effect;
}
