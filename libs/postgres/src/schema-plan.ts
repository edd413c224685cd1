import type { MigrationInterface } from 'typeorm';

/** A TypeORM migration. Its class name ends in thirteen digits, the millisecond it was written. */
export type MigrationClass = new () => MigrationInterface;

export interface SchemaPlan {
  /** Name of the schema, equal to that of the service that owns it. */
  schema: string;
  migrations: readonly MigrationClass[];
  /** Folder of the schema's SQL functions; see `sqlFolder`. Without it, only migrations run. */
  functions?: URL;
  /**
   * The last migration that a program must know to use the schema as this plan leaves it. Without
   * it, a program refuses every schema with an unknown migration.
   */
  oldestProgram?: MigrationClass;
  /** Services that may use the schema. By default only the one with its name. */
  services?: readonly string[];
}
