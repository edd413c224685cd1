import type { EndpointId, WorkspaceId } from '@watchword/contracts';

/** An endpoint as it is stored, its secrets in clear. */
export interface Endpoint {
  readonly id: EndpointId;
  readonly workspaceId: WorkspaceId;
  /** The envelope it gets. A workspace has at most one endpoint of variant A. */
  readonly variant: 'a' | 'b';
  readonly url: string;
  /** Null means the default ones. Variant B always names its events. */
  readonly events: readonly string[] | null;
  readonly description: string | null;
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: DisabledReason | null;
  /** How it answered last. Null is unknown. */
  readonly pace: 'fast' | 'slow' | null;
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousExpiresAt: Date | null;
  /** Whether its workspace is a trial. */
  readonly trial: boolean;
  /** Whether deliveries wait until a test event was answered with 2xx. */
  readonly untested: boolean;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** `gone`: it answered 410. `failing`: for three days and 20 times. `requested`: by its owner. */
export type DisabledReason = 'gone' | 'failing' | 'requested';

/** Returns why the endpoint is disabled. Null while it is enabled. */
export function reasonOf({ status, disabledReason }: Endpoint): DisabledReason | null {
  return status === 'disabled' ? disabledReason : null;
}
