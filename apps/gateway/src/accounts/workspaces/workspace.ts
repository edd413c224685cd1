import type { WorkspaceSettings } from '@watchword/contracts';

/** Workspaces created by sign-up have limits of their own until their first purchase. */
export type WorkspaceOrigin = 'operator' | 'sign_up';

export interface Suspension {
  at: Date;
  reason: string;
}

export interface Workspace {
  id: string;
  name: string;
  billingCountry: string;
  settings: WorkspaceSettings;
  origin: WorkspaceOrigin;
  /** Trial credits that it gets once an operator confirms it. */
  trialCreditsPending: number;
  suspension: Suspension | null;
  createdAt: Date;
}
