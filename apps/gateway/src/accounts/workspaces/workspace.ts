import type { SettingFloors, WorkspaceId, WorkspaceSettings } from '@watchword/contracts';

/** Workspaces created by sign-up have their own limits until their first purchase. */
export type WorkspaceOrigin = 'operator' | 'sign_up';

export interface Suspension {
  at: Date;
  reason: string;
}

/** What decides how a workspace is named to recipients. */
export interface Wording {
  readonly name: string;
  readonly texts: WorkspaceSettings['otp_text'];
}

export interface Workspace {
  id: WorkspaceId;
  name: string;
  billingCountry: string;
  settings: WorkspaceSettings;
  floors: SettingFloors;
  origin: WorkspaceOrigin;
  /** Trial credits that are entered when an operator confirms the workspace. */
  trialCreditsPending: number;
  suspension: Suspension | null;
  createdAt: Date;
}
