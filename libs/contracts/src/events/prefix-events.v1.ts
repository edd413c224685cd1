import { type Static, Type } from '@sinclair/typebox';

/**
 * Pumping protection restricted a prefix. Topic `svc.prefix-events.v1`, key = workspace: those of a
 * workspace come in order.
 */
export const PrefixEvent = Type.Object({
  event_id: Type.String(),
  type: Type.Union([Type.Literal('prefix.throttled'), Type.Literal('prefix.blocked')]),
  workspace_id: Type.String(),
  /** The first six digits of the numbers, without the plus sign. */
  prefix: Type.String(),
  /** What was seen in the hour before. */
  otp_count: Type.Integer(),
  verified_count: Type.Integer(),
  /** When a throttle ends; null for a block, which an operator ends. */
  ends_at: Type.Union([Type.String(), Type.Null()]),
  occurred_at: Type.String(),
});
export type PrefixEvent = Static<typeof PrefixEvent>;
