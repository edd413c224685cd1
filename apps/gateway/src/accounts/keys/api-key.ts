import type { ApiKeyId, KeyMode, KeyPermission, UserId, WorkspaceId } from '@watchword/contracts';

/** Bounds of an agent key, set at its creation. */
export interface AgentBounds {
  /** Credits per UTC day. Null means no budget. */
  readonly dailyBudgetCredits: number | null;
  /** Null means every country that the workspace may send to. */
  readonly countries: readonly string[] | null;
}

/** A key as it is stored: everything except the token. */
export interface ApiKey extends AgentBounds {
  id: ApiKeyId;
  workspaceId: WorkspaceId;
  mode: KeyMode;
  permission: KeyPermission;
  name: string;
  prefix: string;
  last4: string;
  createdAt: Date;
  /** Null for an operator. */
  createdBy: { id: UserId; email: string } | null;
  revokedAt: Date | null;
}
