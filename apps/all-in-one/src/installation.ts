import type { ServiceName } from '@watchword/config';
import type { Platform, ServiceDefinition } from '@watchword/platform';
import type { DemoWorkspace } from './demo/demo-workspace.js';

export type Platforms = ReadonlyMap<ServiceName, Platform>;

/** What a host runs, apart from how. */
export interface Installation {
  definitions: readonly ServiceDefinition[];
  demoSeed?: DemoSeed;
}

/**
 * Given by the gateway. Ids and keys are drawn first and kept in a file, then the workspace is made
 * to be there: a kill in between, or a new database, leaves nothing that the next start does not
 * mend.
 */
export interface DemoSeed {
  draw(): DemoWorkspace;
  /** Idempotent; runs at every start, before the port is opened. */
  ensure(demo: DemoWorkspace, gateway: Platform): Promise<void>;
}
