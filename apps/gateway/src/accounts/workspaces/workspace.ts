import type { WorkspaceSettings } from '@watchword/contracts';

export interface Workspace {
  id: string;
  name: string;
  billingCountry: string;
  settings: WorkspaceSettings;
  createdAt: Date;
}
