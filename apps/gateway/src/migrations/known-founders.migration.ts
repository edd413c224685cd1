import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Gateways before 0.2.0 named no founder. Those that ran beside 0.2.0 left rows like it, which the equal times of
 * both rows tell. No program writes such rows any more.
 */
export class KnownFounders1796600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE gateway.memberships AS membership SET founded = true
        FROM gateway.workspaces AS workspace
        WHERE workspace.id = membership.workspace_id AND workspace.origin = 'sign_up'
          AND workspace.created_at = membership.created_at AND NOT membership.founded;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
