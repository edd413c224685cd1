import { type Static, Type } from '@sinclair/typebox';

/** Topic `svc.account-events.v1`, key = workspace: changes that other services mirror. */
export const AccountEvent = Type.Object({
  type: Type.Union([Type.Literal('workspace.created'), Type.Literal('workspace.updated')]),
  workspace_id: Type.String(),
  name: Type.String(),
  /** Dispatch holds the messages of a suspended workspace. Absent means false. */
  suspended: Type.Optional(Type.Boolean()),
  occurred_at: Type.String(),
});
export type AccountEvent = Static<typeof AccountEvent>;
