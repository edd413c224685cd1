import type { WorkspaceOrigin } from '../workspaces/workspace.js';
import type {
  ApiKeyId,
  KeyMode,
  KeyPermission,
  WorkspaceId,
  WorkspaceSettings,
} from '@watchword/contracts';
import type { AgentBounds } from './api-key.js';

export interface WorkspaceView {
  readonly id: WorkspaceId;
  readonly name: string;
  /** The name in the text of an OTP. */
  readonly brand: string;
  readonly settings: WorkspaceSettings;
  readonly origin: WorkspaceOrigin;
  /** Trial credits that are entered when an operator confirms the workspace. */
  readonly trialCreditsPending: number;
  readonly isSuspended: boolean;
}

/** A valid key and its workspace. */
export interface Caller {
  readonly keyId: ApiKeyId;
  /** The last characters of the key, for the request log. */
  readonly last4: string;
  readonly mode: KeyMode;
  readonly permission: KeyPermission;
  /** Present only for keys with the permission `agent`. */
  readonly agent?: AgentBounds;
  readonly workspace: WorkspaceView;
}

/**
 * Finds the caller of a key. Callers are kept in memory, so a change of a key or a workspace must
 * be announced. The promise resolves once no gateway uses the old state.
 */
export interface KeyDirectory {
  /** Returns the caller if it is in memory. */
  remembered(tokenHash: string): Caller | undefined;
  /** Returns the caller as last known, perhaps out of date: to refuse by, never to admit. */
  lastKnown(tokenHash: string): Caller | undefined;
  /** Asks the database. Returns `null` for a key that does not exist or was revoked. */
  find(tokenHash: string): Promise<Caller | null>;
  /** Stores a new key in memory, so that its first request needs no look-up here. */
  keyCreated(tokenHash: string): Promise<void>;
  /** Call it once for any number of keys. */
  keysRevoked(): Promise<void>;
  workspaceChanged(workspaceId: WorkspaceId): Promise<void>;
}
