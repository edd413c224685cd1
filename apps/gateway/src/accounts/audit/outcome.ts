import type { Effect } from './audit.store.js';

/** The result of a call that is on record. */
export interface Outcome {
  /** Left out for an empty answer. */
  body?: unknown;
  /** What the audit keeps; reads have none. */
  effect?: Effect;
}
