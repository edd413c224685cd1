import type { MigrationInterface } from 'typeorm';

/** A TypeORM migration whose class name ends in thirteen digits: the millisecond it was written. */
export type MigrationClass = new () => MigrationInterface;

export interface SchemaPlan {
  /** Name of the schema, which is the name of the service that owns it. */
  schema: string;
  migrations: readonly MigrationClass[];
  /** Folder of the schema's SQL functions; see `sqlFolder`. Without it, only migrations run. */
  functions?: URL;
  /**
   * The last migration that a program has to know to work on the schema as this plan leaves it. Without it, a
   * program refuses every schema with a migration that it does not know.
   */
  oldestProgram?: MigrationClass;
  /** The services that may use it; by default only the one it is named after. */
  services?: readonly string[];
}
