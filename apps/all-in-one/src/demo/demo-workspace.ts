/** The workspace a first start comes with, and the keys into it. */
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
export interface DemoSeed<Ground> {
  draw(): DemoWorkspace;
  /** Idempotent; runs at every start. */
  ensure(demo: DemoWorkspace, ground: Ground): Promise<void>;
}
