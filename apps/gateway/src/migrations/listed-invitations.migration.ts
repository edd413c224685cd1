import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invitations have an id, and an address has one open invitation to a workspace. */
export class ListedInvitations1797100000000 implements MigrationInterface {
  readonly name = 'ListedInvitations1797100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Gateways before this version name none.
      ALTER TABLE gateway.invitations ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
      CREATE UNIQUE INDEX invitations_by_id ON gateway.invitations (id);

      DELETE FROM gateway.invitations AS older USING gateway.invitations AS newer
        WHERE newer.workspace_id = older.workspace_id AND newer.email = older.email
          AND newer.accepted_at IS NULL AND older.accepted_at IS NULL
          AND (newer.created_at, newer.id) > (older.created_at, older.id);
      CREATE UNIQUE INDEX open_invitations ON gateway.invitations (workspace_id, email)
        WHERE accepted_at IS NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
