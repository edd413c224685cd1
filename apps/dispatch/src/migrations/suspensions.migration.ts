import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Suspended workspaces, and the commands that wait until their suspension ends. */
export class Suspensions1795600180000 implements MigrationInterface {
  readonly name = 'Suspensions1795600180000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE dispatch.workspace_standings (
        workspace_id uuid PRIMARY KEY,
        suspended boolean NOT NULL,
        -- Of the event; an older event changes nothing.
        changed_at timestamptz NOT NULL
      )
    `);
    await queryRunner.query(`
      CREATE TABLE dispatch.held_commands (
        message_id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        command text NOT NULL,
        -- A one-time password is released when it expires, so that it fails and is refunded.
        expires_at timestamptz
      )
    `);
    await queryRunner.query(
      'CREATE INDEX held_commands_of_workspace ON dispatch.held_commands (workspace_id, message_id)',
    );
    await queryRunner.query(
      `CREATE INDEX held_commands_by_expiry ON dispatch.held_commands (expires_at)
       WHERE expires_at IS NOT NULL`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
