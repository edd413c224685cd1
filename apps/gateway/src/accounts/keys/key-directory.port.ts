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

/** Finds the caller of a key. */
export interface KeyDirectory {
  /** Asks the database. Returns `null` for a key that does not exist or was revoked. */
  find(tokenHash: string): Promise<Caller | null>;
  /** Whether this process created the key lately. */
  isNew(tokenHash: string): boolean;
}
