import type { KeyMode, KeyPermission, WorkspaceSettings } from '@watchword/contracts';

export interface WorkspaceView {
  readonly id: string;
  readonly name: string;
  /** The name as a one-time password shows it. */
  readonly brand: string;
  readonly settings: WorkspaceSettings;
}

/** Who is calling: a key that is valid now, and its workspace. */
export interface Caller {
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly permission: KeyPermission;
  readonly workspace: WorkspaceView;
}

/**
 * Who a key belongs to. Callers are answered from memory, so whoever revokes a key or changes a
 * workspace has to say so: the promise resolves once no gateway will act on the old state any more.
 */
export interface KeyDirectory {
  /** Answers at once when it knows, `null` for a key that does not exist or was revoked. */
  find(tokenHash: string): Caller | null | Promise<Caller | null>;
  keyRevoked(keyId: string): Promise<void>;
  workspaceChanged(workspaceId: string): Promise<void>;
}
