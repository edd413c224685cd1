import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The partitions of attempts that lack the index. */
const LACKING = `
  SELECT partition.inhrelid::regclass::text AS name FROM pg_inherits AS partition
  WHERE partition.inhparent = 'attempts'::regclass AND NOT EXISTS (
    SELECT FROM pg_inherits AS part JOIN pg_index ON pg_index.indexrelid = part.inhrelid
    WHERE part.inhparent = 'attempts_held'::regclass AND pg_index.indrelid = partition.inhrelid)
  ORDER BY 1`;

/**
 * The index by `held_by`, which replaces that by `sender_id`. An index of a million attempts is built while they are
 * written, partition by partition, and that runs in no transaction. A run that was interrupted is repeated.
 */
export class HeldAttempts1796700001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS attempts_held ON ONLY attempts (message_id) WHERE held_by IS NOT NULL`,
    );
    for (const { name } of (await runner.query(LACKING)) as { name: string }[]) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_held`);
      await runner.query(
        `CREATE INDEX CONCURRENTLY ${name}_held ON ${name} (message_id) WHERE held_by IS NOT NULL`,
      );
      await runner.query(`ALTER INDEX attempts_held ATTACH PARTITION ${name}_held`);
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
