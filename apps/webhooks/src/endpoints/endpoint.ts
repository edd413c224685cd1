/** An endpoint as it is stored, its secrets in clear. */
export interface Endpoint {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  /** Null: the default ones. */
  readonly events: readonly string[] | null;
  readonly status: 'enabled' | 'disabled';
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousExpiresAt: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
