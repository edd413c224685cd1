import type { Effect } from './audit.store.js';

/** The result of a call, which the edge turns into an answer. */
export interface Outcome<Body = unknown> {
  /** Absent for an empty answer. */
  body?: Body;
  /** JSON text to send unchanged, instead of a body. */
  json?: string;
  /** Whether it is the answer of an earlier request with the same `Idempotency-Key`. */
  replayed?: boolean;
  /** Whether everything was done before. The route's `unchangedStatus` then applies. */
  unchanged?: boolean;
  /** What the audit log stores. Most reads have none. */
  effect?: Effect;
  /** Effects of a read on further workspaces. It is answered only once the audit log has them. */
  furtherEffects?: readonly Effect[];
}
