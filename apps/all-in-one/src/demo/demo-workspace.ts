/** The workspace that an embedded installation comes with, and the keys into it. */
export interface DemoWorkspace {
  workspaceId: string;
  email: string;
  password: string;
  liveKey: string;
  testKey: string;
}
