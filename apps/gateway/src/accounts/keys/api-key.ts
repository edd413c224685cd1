import type { KeyMode, KeyPermission } from '@watchword/contracts';

/** A key as it is kept: everything but the token. */
export interface ApiKey {
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
