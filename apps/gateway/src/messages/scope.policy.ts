import type { WorkspaceId } from '@watchword/contracts';
import type { Caller } from '../accounts/keys/key-directory.port.js';

/**
 * The scope of a caller: its workspace, and the mode of its key. To the caller, a message
 * outside them does not exist. A console session has no mode and reads both.
 */
export interface Scope {
  readonly workspace_id: WorkspaceId;
  /** Null: both modes. */
  readonly test_mode: boolean | null;
}

export function scopeOf({ workspace, mode }: Caller): Scope & { readonly test_mode: boolean } {
  return { workspace_id: workspace.id, test_mode: mode === 'test' };
}

/** Returns the scope of a console session. */
export function bothModes(workspaceId: WorkspaceId): Scope {
  return { workspace_id: workspaceId, test_mode: null };
}
