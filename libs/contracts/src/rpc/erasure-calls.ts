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
  /** Counts messages that have not ended, in all workspaces and both modes. */
  countOpenMessages: call(Type.Object(Slice), ErasureCount, { deadlineMs: ERASURE_DEADLINE_MS }),
  /** Erases a recipient from messages that have ended, and counts them. A repeat goes on. */
  eraseMessages: call(ErasureSlice, ErasureCount, { deadlineMs: ERASURE_DEADLINE_MS }),
};
