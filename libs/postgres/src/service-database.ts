import type { DataSource, EntitySchema, MixedList } from 'typeorm';
import { createPool } from './pool.js';
import type { ConnectionOptions, DatabasePool } from './pool.js';

/** A service's way to its own schema, under its own role. */
export interface ServiceDatabase {
  readonly service: string;
  /** As the service's role. */
  readonly url: string;
  /** The data plane: named, set-based SQL. */
  readonly pool: DatabasePool;
  /** The control plane: TypeORM entities and repositories. */
  readonly dataSource: DataSource;
  close(): Promise<void>;
}

export interface ServiceDatabaseOptions extends Pick<
  ConnectionOptions,
  'planCacheMode' | 'statementTimeoutMs'
> {
  service: string;
  /** As the service's role; see `urlFor`. */
  url: string;
  poolSize: number;
  entities?: MixedList<Function | EntitySchema>;
  onIdleError?: (error: Error) => void;
}

/** Control-plane calls are rare; they must not take connections from the data plane. */
const controlPlanePoolSize = 2;

export async function openServiceDatabase(
  options: ServiceDatabaseOptions,
): Promise<ServiceDatabase> {
  const { service, url } = options;
  let closing = false;
  // Loaded when the server is already starting, which is the slow part of a start.
  const { DataSource } = await import('typeorm');
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    schema: service,
    entities: options.entities ?? [],
    synchronize: false,
    installExtensions: false,
    parseInt8: true,
    poolSize: controlPlanePoolSize,
    applicationName: `watchword-${service}-control`,
    extra: { options: `-c search_path=${service} -c timezone=UTC` },
    poolErrorHandler: (error: Error) => closing || options.onIdleError?.(error),
  });
  await dataSource.initialize();
  const pool = createPool({
    url,
    max: options.poolSize,
    applicationName: `watchword-${service}`,
    schema: service,
    planCacheMode: options.planCacheMode ?? 'force_custom_plan',
    statementTimeoutMs: options.statementTimeoutMs,
    onIdleError: options.onIdleError,
  });
  return {
    service,
    url,
    pool,
    dataSource,
    async close() {
      closing = true;
      await Promise.all([pool.end(), dataSource.destroy()]);
    },
  };
}
