import type { MigrationInterface } from 'typeorm';

/** A TypeORM migration. Its class name ends in thirteen digits, the millisecond it was written. */
export type MigrationClass = new () => MigrationInterface;

export interface SchemaPlan {
  /** Name of the schema, equal to that of the service that owns it. */
  schema: string;
  migrations: readonly MigrationClass[];
  /** Folder of the schema's SQL functions; see `sqlFolder`. Without it, only migrations run. */
  functions?: URL;
  /** Services that may use the schema. By default only the one with its name. */
  services?: readonly string[];
}
