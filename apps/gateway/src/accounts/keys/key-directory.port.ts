import type { WorkspaceOrigin } from '../workspaces/workspace.js';
import type { KeyMode, KeyPermission, WorkspaceSettings } from '@watchword/contracts';

export interface WorkspaceView {
  readonly id: string;
  readonly name: string;
  /** The name as a one-time password shows it. */
  readonly brand: string;
  readonly settings: WorkspaceSettings;
  readonly origin: WorkspaceOrigin;
  /** Trial credits that it gets once an operator confirms it. */
  readonly trialCreditsPending: number;
  readonly isSuspended: boolean;
}

/** A valid key and its workspace. */
export interface Caller {
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly permission: KeyPermission;
  readonly workspace: WorkspaceView;
}

/**
 * Finds the caller of a key. Callers are kept in memory, so a change of a key or a workspace has to
 * be announced: the promise resolves once no gateway acts on the old state.
 */
export interface KeyDirectory {
  /** Synchronous for a caller in memory; `null` for an unknown or revoked key. */
  find(tokenHash: string): Caller | null | Promise<Caller | null>;
  keyRevoked(keyId: string): Promise<void>;
  workspaceChanged(workspaceId: string): Promise<void>;
}
