import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sender IDs that workspaces asked for, and what each country decided. */
export class SenderIds1795600060000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sender_ids (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        sender_id text NOT NULL,
        registered_entity text NOT NULL,
        registration_doc_url text,
        use_case text NOT NULL,
        sample_message text NOT NULL,
        notes text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      );
      CREATE INDEX sender_ids_of_workspace ON sender_ids (workspace_id, lower(sender_id));

      CREATE TABLE sender_reviews (
        sender_row_id uuid NOT NULL REFERENCES sender_ids ON DELETE CASCADE,
        country text NOT NULL,
        status text NOT NULL
          CHECK (status IN ('pending', 'approved', 'active', 'suspended', 'rejected')),
        rejection_reason text,
        dnd_whitelisted boolean NOT NULL,
        reviewed_at timestamptz,
        PRIMARY KEY (sender_row_id, country)
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
