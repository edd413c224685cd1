import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - The watched hour is found by time: messages come in the order of their time, so a BRIN index
 *   finds it and costs an insert next to nothing.
 * - What is usual for one prefix is counted along an index of its own; none of its columns ever
 *   changes.
 * - `prefix_guard` has one row. A transaction that changes a restriction locks it, so that versions are given
 *   out in the order in which changes become visible, and one process at a time makes a check.
 */
export class PrefixGuard1795392060000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX messages_created_at ON messages USING brin (created_at)
        WITH (pages_per_range = 16, autosummarize = on);
      CREATE INDEX messages_of_prefix
        ON messages (workspace_id, substr(destination, 2, 6), created_at)
        WHERE kind = 'otp' AND NOT test_mode;

      CREATE TABLE prefix_guard (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        version bigint NOT NULL DEFAULT 1,
        checked_at timestamptz NOT NULL DEFAULT '-infinity'
      );
      INSERT INTO prefix_guard DEFAULT VALUES;

      CREATE TABLE prefix_records (
        workspace_id uuid NOT NULL,
        prefix text NOT NULL,
        state text NOT NULL CHECK (state IN ('throttled', 'blocked', 'lifted')),
        first_flagged_at timestamptz NOT NULL,
        since timestamptz NOT NULL,
        ends_at timestamptz,
        otp_count integer NOT NULL,
        verified_count integer NOT NULL,
        lifted_at timestamptz,
        PRIMARY KEY (workspace_id, prefix),
        CHECK ((state = 'throttled') = (ends_at IS NOT NULL)),
        CHECK (state <> 'lifted' OR lifted_at IS NOT NULL)
      );
      CREATE INDEX prefix_records_in_force ON prefix_records (state, ends_at)
        WHERE state <> 'lifted';
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
