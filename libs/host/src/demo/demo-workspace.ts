import type { WorkspaceId } from '@watchword/contracts';
import type { Platform } from '@watchword/platform';

/** The workspace of an embedded installation, and its keys. */
export interface DemoWorkspace {
  workspaceId: WorkspaceId;
  email: string;
  password: string;
  liveKey: string;
  testKey: string;
}

/**
 * Given by the gateway. Ids and keys are generated first and stored in a file, then the workspace
 * is created. After a kill in between, or with a new database, the next start completes it.
 */
export interface DemoSeed {
  draw(): DemoWorkspace;
  /** Returns a token of `POST /auth/link`, which logs the owner in once. */
  offerLogIn(demo: DemoWorkspace, gateway: Platform): string;
  /** Creates what is missing. Idempotent; runs at every start, before the port is opened. */
  ensure(
    demo: DemoWorkspace,
    gateway: Pick<Platform, 'database' | 'rpc'>,
    simulatorUrl: string,
  ): Promise<void>;
}
