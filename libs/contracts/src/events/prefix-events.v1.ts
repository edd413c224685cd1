import { type Static, Type } from '@sinclair/typebox';
import type { EventId, WorkspaceId } from '../ids.js';
import { idOf, nullable, words } from '../shapes.js';

export const PREFIX_EVENT_TYPES = ['prefix.throttled', 'prefix.blocked'] as const;

/**
 * Pumping protection restricted a prefix. Topic `svc.prefix-events.v1`, key = workspace, so events
 * of one workspace keep their order.
 */
export const PrefixEvent = Type.Object({
  event_id: idOf<EventId>(),
  type: words(...PREFIX_EVENT_TYPES),
  workspace_id: idOf<WorkspaceId>(),
  /** The first six digits of the numbers, without the plus sign. */
  prefix: Type.String(),
  /** OTPs sent to the prefix in the hour before. */
  otp_count: Type.Integer(),
  verified_count: Type.Integer(),
  /** Time at which a throttle ends. Null for a block, which only an operator ends. */
  ends_at: nullable(Type.String()),
  occurred_at: Type.String(),
});
export type PrefixEvent = Static<typeof PrefixEvent>;
