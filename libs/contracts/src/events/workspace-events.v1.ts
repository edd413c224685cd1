import { type Static, Type } from '@sinclair/typebox';

const nullable = <T extends import('@sinclair/typebox').TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/**
 * An event as a workspace's webhooks tell it. Topic `svc.workspace-events.v1`, key = workspace: the events of a
 * workspace come in the order of their `sequence`, which has no gaps.
 */
export const WorkspaceEvent = Type.Object({
  event_id: Type.String(),
  workspace_id: Type.String(),
  /** Variant B's name of the event. */
  type: Type.String(),
  /** Null for events of the workspace itself. */
  message_id: nullable(Type.String()),
  test_mode: nullable(Type.Boolean()),
  occurred_at: Type.String(),
  /** `data` of variant B's envelope. */
  data: Type.Record(Type.String(), Type.Unknown()),
  sequence: Type.Integer({ minimum: 1 }),
});
export type WorkspaceEvent = Static<typeof WorkspaceEvent>;
