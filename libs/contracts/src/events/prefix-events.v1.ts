import { type Static, Type } from '@sinclair/typebox';

/**
 * Pumping protection restricted a prefix. Topic `svc.prefix-events.v1`, key = workspace, so events
 * of one workspace keep their order.
 */
export const PrefixEvent = Type.Object({
  event_id: Type.String(),
  type: Type.Union([Type.Literal('prefix.throttled'), Type.Literal('prefix.blocked')]),
  workspace_id: Type.String(),
  /** The first six digits of the numbers, without the plus sign. */
  prefix: Type.String(),
  /** OTPs sent to the prefix in the hour before. */
  otp_count: Type.Integer(),
  verified_count: Type.Integer(),
  /** Time at which a throttle ends. Null for a block, which only an operator ends. */
  ends_at: Type.Union([Type.String(), Type.Null()]),
  occurred_at: Type.String(),
});
export type PrefixEvent = Static<typeof PrefixEvent>;
