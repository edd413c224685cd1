import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Texts with placeholders. Few rows for each workspace, read by id or slug. */
export class Templates1795600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE templates (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        name text NOT NULL,
        slug text NOT NULL,
        body text NOT NULL,
        variables text[] NOT NULL,
        version integer NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        UNIQUE (workspace_id, slug)
      );
      CREATE INDEX templates_of_workspace ON templates (workspace_id, id DESC);
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
