export { lines, linesAsArray, plainArray } from './array-parameters.js';
export {
  DatabaseOfAnotherVersion,
  DatabaseUnusable,
  DatabaseUnavailable,
  describeDatabaseError,
  explainNotReached,
  faultOf,
  isGone,
  LOCK_NOT_AVAILABLE,
  sqlState,
  UNIQUE_VIOLATION,
  isContention,
} from './database-errors.js';
export { inspectSchema, migrate } from './migrate.js';
export type { MigrateOptions, SchemaState } from './migrate.js';
export { createPartitions, type PartitionedTables, unlessHeld } from './partitions.js';
export { createClient, createPool } from './pool.js';
export type { ConnectionOptions, DatabasePool, PoolOptions } from './pool.js';
export { roleOf, urlFor } from './provision.js';
export { openServiceDatabase } from './service-database.js';
export type { ServiceDatabase, ServiceDatabaseOptions } from './service-database.js';
export type { MigrationClass, SchemaPlan } from './schema-plan.js';
export { readSqlFiles, sqlFolder } from './sql-functions.js';
export type { SqlFile } from './sql-functions.js';
export { statement } from './statement.js';
export type { Statement } from './statement.js';
export type { Queryable, QueryOutcome, Transactional } from './transactional.js';
export { clusterIn } from './embedded/cluster.js';
export { runningPostgres } from './embedded/running-postgres.js';
export { freePort } from './free-port.js';
export { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
export { embeddedVersion } from './embedded/binaries.js';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded/embedded-postgres.js';
