import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
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
 * with its partitions, and its queue. Its name follows from its statements, so that a database of other
 * ones is refused at the start.
 *
 * @param moduleUrl URL of the service's `index`, in `src` or `dist`.
 */
export function baselineOf(
  service: ServiceName,
  moduleUrl: string,
  partitions?: PartitionedTables,
): MigrationClass {
  const file = new URL(`migrations/${service}-baseline.sql`, sqlFolder(moduleUrl));
  const statements = [
    readFileSync(file, 'utf8'),
    ...(partitions ? [createPartitions(partitions)] : []),
    createMessageQueue(service),
  ];
  const migration = class {
    async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
      for (const sql of statements) await runner.query(sql);
    }

    async down(): Promise<void> {
      throw new Error('migrations go forward only');
    }
  };
  const title = `${service[0]?.toUpperCase()}${service.slice(1)}Baseline`;
  return Object.defineProperty(migration, 'name', { value: `${title}${versionOf(statements)}` });
}

/** Thirteen digits, as a name of TypeORM ends in; less than any time, so that it comes first. Comments do not count. */
export function versionOf(statements: readonly string[]): string {
  const text = statements.join('\n').replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 9);
  return String(Number.parseInt(hash, 16) + 1).padStart(13, '0');
}
