import type { KeyMode, KeyPermission } from '@watchword/contracts';

/** Bounds of an agent key, set when it is created. */
export interface AgentBounds {
  /** Credits of one UTC day; null is no budget. */
  readonly dailyBudgetCredits: number | null;
  /** Null is every country that the workspace may send to. */
  readonly countries: readonly string[] | null;
}

/** A key as it is kept: everything but the token. */
export interface ApiKey extends AgentBounds {
  id: string;
  workspaceId: string;
  mode: KeyMode;
  permission: KeyPermission;
  name: string;
  prefix: string;
  last4: string;
  createdAt: Date;
  revokedAt: Date | null;
}
