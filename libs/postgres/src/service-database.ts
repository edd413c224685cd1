import { createPool } from './pool.js';
import type { ConnectionOptions, DatabasePool } from './pool.js';

/** A service's access to its own schema, under its own role. */
export interface ServiceDatabase {
  readonly service: string;
  /** URL under the service's role. */
  readonly url: string;
  readonly pool: DatabasePool;
  close(): Promise<void>;
}

export interface ServiceDatabaseOptions extends Pick<ConnectionOptions, 'statementTimeoutMs'> {
  service: string;
  /** URL under the service's role; see `urlFor`. */
  url: string;
  poolSize: number;
  onUnavailable?: (cause: Error) => void;
}

export function openServiceDatabase(options: ServiceDatabaseOptions): ServiceDatabase {
  const { service, url } = options;
  const pool = createPool({
    url,
    max: options.poolSize,
    applicationName: `watchword-${service}`,
    schema: service,
    statementTimeoutMs: options.statementTimeoutMs,
    onUnavailable: options.onUnavailable,
  });
  return { service, url, pool, close: () => pool.end() };
}
