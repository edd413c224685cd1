import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - `dnd_numbers` is a registry of a country: uploaded (`list`), or learned from a carrier's refusal
 *   and forgotten after `expires_at`.
 * - `dnd_uploads` holds a list while its parts arrive.
 * - `opt_outs` is per workspace and sender ID; an empty sender ID stands for a message without one.
 */
export class DoNotDisturb1795600120000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE dnd_numbers (
        destination text NOT NULL,
        origin text NOT NULL CHECK (origin IN ('list', 'learned')),
        country_code text NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (destination, origin)
      );
      CREATE INDEX dnd_numbers_of_list ON dnd_numbers (country_code) WHERE origin = 'list';
      CREATE INDEX dnd_numbers_expiry ON dnd_numbers (expires_at) WHERE origin = 'learned';

      CREATE TABLE dnd_uploads (
        upload_id uuid NOT NULL,
        destination text NOT NULL,
        country_code text NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (upload_id, destination)
      );

      CREATE TABLE opt_outs (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        destination text NOT NULL,
        sender_id text NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX opt_outs_of_number
        ON opt_outs (workspace_id, destination, lower(sender_id));
      CREATE INDEX opt_outs_of_workspace ON opt_outs (workspace_id, created_at DESC, id DESC);
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
