import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The partitions of attempts that lack the index. */
const LACKING = `
  SELECT partition.inhrelid::regclass::text AS name FROM pg_inherits AS partition
  WHERE partition.inhparent = 'attempts'::regclass AND NOT EXISTS (
    SELECT FROM pg_inherits AS part JOIN pg_index ON pg_index.indexrelid = part.inhrelid
    WHERE part.inhparent = 'attempts_held'::regclass AND pg_index.indrelid = partition.inhrelid)
  ORDER BY 1`;

/** Attempts that a program before 0.2.0 ended or began: one condition for each of the two partial indexes. */
const OUTDATED = ['held_by', 'sender_id'].map(
  (column) => `${column} IS NOT NULL AND held_by IS DISTINCT FROM sender_id`,
);
/**
 * Milliseconds. Statements behind these do not wait, so they may wait for every statement of a service. Not without
 * end: a 0.2.0 that starts meanwhile waits for this migration, and this one for it.
 */
const CONCURRENT_WAIT_MS_MAX = 15_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Changes the attempts of the next 1,000 after `$1`. Returns the last id, or no row at the end. */
const refill = (isOutdated: string): string => `
  WITH last AS (
    SELECT message_id FROM (
      SELECT message_id FROM attempts WHERE message_id > $1 AND ${isOutdated}
      ORDER BY message_id LIMIT 1000) AS batch
    ORDER BY message_id DESC LIMIT 1
  ), refilled AS (
    UPDATE attempts SET held_by = sender_id
    WHERE message_id > $1 AND message_id <= (SELECT message_id FROM last) AND ${isOutdated})
  SELECT message_id AS id FROM last`;

/**
 * The index by `held_by`, which replaces that by `sender_id`. An index of a million attempts is built while they are
 * written, partition by partition, and that runs in no transaction. A run that was interrupted is repeated.
 *
 * Programs before 0.2.0 wrote `sender_id` alone, so `held_by` is set to it where they differ, batch by batch. Every
 * program writes `sender_id`, and 0.2.0 writes both at once, so what 0.2.0 writes meanwhile never differs.
 */
export class HeldAttempts1796700001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS attempts_held ON ONLY attempts (message_id) WHERE held_by IS NOT NULL`,
    );
    for (const { name } of (await runner.query(LACKING)) as { name: string }[]) {
      await runner.query(`SET lock_timeout = ${CONCURRENT_WAIT_MS_MAX}`);
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_held`);
      await runner.query(
        `CREATE INDEX CONCURRENTLY ${name}_held ON ${name} (message_id) WHERE held_by IS NOT NULL`,
      );
      await runner.query('RESET lock_timeout');
      await runner.query(`ALTER INDEX attempts_held ATTACH PARTITION ${name}_held`);
    }
    for (const isOutdated of OUTDATED) {
      for (let last: string | undefined = FIRST_ID; last !== undefined;) {
        const rows = (await runner.query(refill(isOutdated), [last])) as { id: string }[];
        last = rows[0]?.id;
      }
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
