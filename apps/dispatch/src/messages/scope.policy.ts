import { lowerId, type WorkspaceId } from '@watchword/contracts';

/**
 * The scope of a caller: its workspace, and the mode of its key. A message outside it does not
 * exist for this caller. A console session and an operator have no mode: they see both.
 */
export interface Scope {
  readonly workspaceId: WorkspaceId;
  /** Null: both modes. */
  readonly testMode: boolean | null;
}

/**
 * Returns whether the message is within the scope. Without a scope, the caller is a part of dispatch.
 */
export function isWithin(message: Scope, scope: Scope | undefined): boolean {
  if (scope === undefined) return true;
  if (message.workspaceId !== scope.workspaceId) return false;
  return scope.testMode === null || message.testMode === scope.testMode;
}

/** The scope of a write: that of the requests that it carries out. */
export function narrowest(all: readonly Scope[]): Scope | undefined {
  return all.find(({ testMode }) => testMode !== null) ?? all[0];
}

/** Returns the scope that an internal call names. */
export function scopeOf(request: { workspace_id: WorkspaceId; test_mode: boolean | null }): Scope {
  return { workspaceId: lowerId(request.workspace_id), testMode: request.test_mode };
}
