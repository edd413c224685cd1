import type { Platform } from '@watchword/platform';

/** The workspace that an embedded installation comes with, and the keys into it. */
export interface DemoWorkspace {
  workspaceId: string;
  email: string;
  password: string;
  liveKey: string;
  testKey: string;
}

/**
 * Given by the gateway. Ids and keys are drawn first and kept in a file, then the workspace is made
 * to be there: a kill in between, or a new database, leaves nothing that the next start does not
 * mend.
 */
export interface DemoSeed {
  draw(): DemoWorkspace;
  /** Idempotent; runs at every start, before the port is opened. */
  ensure(
    demo: DemoWorkspace,
    gateway: Pick<Platform, 'database' | 'rpc'>,
    simulatorUrl: string,
  ): Promise<void>;
}
