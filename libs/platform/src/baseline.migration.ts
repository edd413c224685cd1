import { readFile } from 'node:fs/promises';
import { createMessageQueue } from '@watchword/bus';
import type { ServiceName } from '@watchword/contracts';
import {
  createPartitions,
  type MigrationClass,
  type PartitionedTables,
  sqlFolder,
} from '@watchword/postgres';

/**
 * Returns the migration that creates the tables of a service: its `src/migrations/<service>-baseline.sql`
 * with its partitions, and its queue. A database knows it by its name.
 *
 * @param moduleUrl URL of the service's `index`, in `src` or `dist`.
 */
export function baselineOf(
  service: ServiceName,
  moduleUrl: string,
  partitions?: PartitionedTables,
): MigrationClass {
  const file = new URL(`migrations/${service}-baseline.sql`, sqlFolder(moduleUrl));
  const migration = class {
    async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
      await runner.query(await readFile(file, 'utf8'));
      if (partitions) await runner.query(createPartitions(partitions));
      await runner.query(createMessageQueue(service));
    }

    async down(): Promise<void> {
      throw new Error('migrations go forward only');
    }
  };
  const name = `${service[0]?.toUpperCase()}${service.slice(1)}Baseline1797200000000`;
  return Object.defineProperty(migration, 'name', { value: name });
}
