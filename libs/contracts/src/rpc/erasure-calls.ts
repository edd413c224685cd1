import { Type } from '@sinclair/typebox';
import { nullable } from '../shapes.js';
import { call } from './calls.js';

/** A slice reads or writes thousands of rows. */
export const ERASURE_DEADLINE_MS = 10_000;

/** A part of the messages to a number in E.164, or to an email address. */
const Slice = {
  to: Type.String(),
  /** `next` of the call before. Null for the first slice. */
  after: nullable(Type.String()),
};
const Counted = Type.Object({
  count: Type.Integer(),
  /** Null at the end. */
  next: nullable(Type.String()),
});

/** Asks for one slice of an erasure. */
export const ErasureSlice = Type.Object({
  ...Slice,
  /** What stands in its place afterwards. */
  erased: Type.String(),
});

export const erasureCalls = {
  /** Counts messages that have not ended, in all workspaces and both modes. */
  countOpenMessages: call(Type.Object(Slice), Counted, { deadlineMs: ERASURE_DEADLINE_MS }),
  /** Erases it from messages that have ended, and counts them. A repeat goes on. */
  eraseMessages: call(ErasureSlice, Counted, { deadlineMs: ERASURE_DEADLINE_MS }),
};
