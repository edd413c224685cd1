import { lowerId, type WorkspaceId } from '@watchword/contracts';

/**
 * The walls around a caller: its workspace, and the mode of its key. A message outside them does not
 * exist for this caller. A console session and an operator have no mode: they see both.
 */
export interface Scope {
  readonly workspaceId: WorkspaceId;
  /** Null: both modes. */
  readonly testMode: boolean | null;
}

/**
 * Returns whether the message is within the walls. Without walls, the caller is a part of dispatch.
 */
export function isWithin(message: Scope, walls: Scope | undefined): boolean {
  if (walls === undefined) return true;
  if (message.workspaceId !== walls.workspaceId) return false;
  return walls.testMode === null || message.testMode === walls.testMode;
}

/** The walls that a write has to stand within: those of the requests that it carries out. */
export function narrowest(all: readonly Scope[]): Scope | undefined {
  return all.find(({ testMode }) => testMode !== null) ?? all[0];
}

/** Returns the walls that an internal call names. */
export function scopeOf(request: { workspace_id: WorkspaceId; test_mode: boolean | null }): Scope {
  return { workspaceId: lowerId(request.workspace_id), testMode: request.test_mode };
}
