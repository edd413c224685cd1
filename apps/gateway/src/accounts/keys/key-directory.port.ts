import type { WorkspaceOrigin } from '../workspaces/workspace.js';
import type { KeyMode, KeyPermission, WorkspaceSettings } from '@watchword/contracts';
import type { AgentBounds } from './api-key.js';

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
  /** The last characters of the key, for the request log. */
  readonly last4: string;
  readonly mode: KeyMode;
  readonly permission: KeyPermission;
  /** Absent for keys without the permission `agent`. */
  readonly agent?: AgentBounds;
  readonly workspace: WorkspaceView;
}

/**
 * Finds the caller of a key. Callers are kept in memory, so a change of a key or a workspace has to
 * be announced: the promise resolves once no gateway acts on the old state.
 */
export interface KeyDirectory {
  /** The caller, when it is known without a look into the database. */
  remembered(tokenHash: string): Caller | undefined;
  /** Looks into the database; `null` for a key that does not exist or was revoked. */
  find(tokenHash: string): Promise<Caller | null>;
  /** Remembers a new key, so that its first request needs no look-up here. */
  keyCreated(tokenHash: string): Promise<void>;
  keyRevoked(keyId: string): Promise<void>;
  workspaceChanged(workspaceId: string): Promise<void>;
}
