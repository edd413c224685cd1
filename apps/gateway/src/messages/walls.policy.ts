import type { Caller } from '../accounts/keys/key-directory.port.js';

/**
 * The walls around a caller, as internal calls name them: its workspace, and the mode of its key. A
 * message outside them does not exist for this caller. A console session has no mode and sees both.
 */
export interface Walls {
  readonly workspace_id: string;
  /** Null: both modes. */
  readonly test_mode: boolean | null;
}

export function wallsOf({ workspace, mode }: Caller): Walls & { readonly test_mode: boolean } {
  return { workspace_id: workspace.id, test_mode: mode === 'test' };
}

/** Of a console session. */
export function bothModes(workspaceId: string): Walls {
  return { workspace_id: workspaceId, test_mode: null };
}
