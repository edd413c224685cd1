import { Type } from '@sinclair/typebox';
import { nullable } from '../shapes.js';
import { call } from './calls.js';

/** A slice reads or writes thousands of rows. */
export const ERASURE_DEADLINE_MS = 10_000;

/** A slice of the messages to a recipient: a number in E.164, or an email address. */
const Slice = {
  to: Type.String(),
  /** `next` of the call before. Null for the first slice. */
  after: nullable(Type.String()),
};
/** What one slice counted or erased. */
export const ErasureCount = Type.Object({
  count: Type.Integer(),
  /** Null at the end. */
  next: nullable(Type.String()),
});

/** Erases a recipient from one slice. */
export const ErasureSlice = Type.Object({
  ...Slice,
  /** Replaces the recipient. */
  erased: Type.String(),
});

export const erasureCalls = {
  /** Cancels messages to a recipient that wait for their `send_at`, and counts them. */
  cancelScheduledMessages: call(Type.Object(Slice), ErasureCount, {
    deadlineMs: ERASURE_DEADLINE_MS,
  }),
  /**
   * Counts messages of all workspaces that were accepted before this time and have not ended. `tests` are
   * test messages, which `count` leaves out.
   */
  countOpenMessages: call(
    Type.Object({ ...Slice, before: Type.String() }),
    Type.Composite([ErasureCount, Type.Object({ tests: Type.Integer() })]),
    { deadlineMs: ERASURE_DEADLINE_MS },
  ),
  /** Erases a recipient from messages that have ended, and counts them. A repeat goes on. */
  eraseMessages: call(ErasureSlice, ErasureCount, { deadlineMs: ERASURE_DEADLINE_MS }),
};
