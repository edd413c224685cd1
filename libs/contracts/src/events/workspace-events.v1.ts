import { type Static, Type } from '@sinclair/typebox';
import type { EventId, MessageId, WorkspaceId } from '../ids.js';
import { idOf, nullable } from '../shapes.js';

/**
 * An event in the form that the workspace's webhooks deliver. Topic `svc.workspace-events.v1`, key
 * = workspace. Events of a workspace come in the order of their `sequence`, which has no gaps.
 */
export const WorkspaceEvent = Type.Object({
  event_id: idOf<EventId>(),
  workspace_id: idOf<WorkspaceId>(),
  /** Name of the event in variant B. */
  type: Type.String(),
  /** Id of the message. Null for events of the workspace itself. */
  message_id: nullable(idOf<MessageId>()),
  test_mode: nullable(Type.Boolean()),
  occurred_at: Type.String(),
  /** The `data` member of variant B's envelope. */
  data: Type.Record(Type.String(), Type.Unknown()),
  sequence: Type.Integer({ minimum: 1 }),
});
export type WorkspaceEvent = Static<typeof WorkspaceEvent>;
